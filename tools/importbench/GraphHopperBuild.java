import com.graphhopper.GraphHopper;
import com.graphhopper.config.Profile;
import com.graphhopper.util.GHUtility;

/** Builds the graph for cars of one extract: no contraction, no landmarks. */
public class GraphHopperBuild {
    public static void main(String[] args) {
        GraphHopper hopper = new GraphHopper();
        hopper.setOSMFile(args[0]);
        hopper.setGraphHopperLocation(args[1]);
        hopper.setEncodedValuesString("car_access, car_average_speed, road_access");
        hopper.setProfiles(new Profile("car").setCustomModel(GHUtility.loadCustomModelFromJar("car.json")));
        hopper.importOrLoad();
    }
}
