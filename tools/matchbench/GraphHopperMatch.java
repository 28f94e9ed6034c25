import com.fasterxml.jackson.databind.ObjectMapper;
import com.graphhopper.GraphHopper;
import com.graphhopper.config.Profile;
import com.graphhopper.matching.MapMatching;
import com.graphhopper.matching.Observation;
import com.graphhopper.util.GHUtility;
import com.graphhopper.util.PMap;
import com.graphhopper.util.shapes.GHPoint;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Matches trips by GraphHopper: two passes, of which the second is measured.
 * usage: GraphHopperMatch EXTRACT GRAPH TRIPS
 */
public class GraphHopperMatch {
    public static void main(String[] args) throws Exception {
        GraphHopper hopper = new GraphHopper();
        hopper.setOSMFile(args[0]);
        hopper.setGraphHopperLocation(args[1]);
        hopper.setEncodedValuesString("car_access, car_average_speed, road_access");
        hopper.setProfiles(new Profile("car").setCustomModel(GHUtility.loadCustomModelFromJar("car.json")));
        hopper.importOrLoad();
        List<List<Observation>> trips = read(Path.of(args[2]));
        pass(hopper, trips);
        System.out.println(pass(hopper, trips));
    }

    private static List<List<Observation>> read(Path file) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        List<List<Observation>> trips = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            List<Observation> trip = new ArrayList<>();
            for (double[] at : mapper.readValue(line, double[][].class)) {
                trip.add(new Observation(new GHPoint(at[1], at[0])));
            }
            trips.add(trip);
        }
        return trips;
    }

    /** Matches all trips; one whose sequence is broken ends with an exception. */
    private static String pass(GraphHopper hopper, List<List<Observation>> trips) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        PMap hints = new PMap().putObject("profile", "car");
        int failed = 0;
        long wall = System.nanoTime(), processor = system.getProcessCpuTime();
        for (List<Observation> trip : trips) {
            try {
                if (MapMatching.fromGraphHopper(hopper, hints).match(trip).getEdgeMatches().isEmpty()) failed++;
            } catch (IllegalArgumentException e) {
                failed++;
            }
        }
        double used = (system.getProcessCpuTime() - processor) / 1e9, spent = (System.nanoTime() - wall) / 1e9;
        return String.format(java.util.Locale.ROOT, "{\"Processor\": %f, \"Wall\": %f, \"Failed\": %d, \"Broken\": 0}", used, spent, failed);
    }
}
