package command

import "github.com/alecthomas/kong"

const description = "Recovers dense, road-matched trajectories from sparse GPS points.\n\n" +
	"Without a command the window opens; files given as arguments open as if they were dropped on it. " +
	"With a command no display is needed. " +
	"Exit status: 0 all went well, 1 some inputs failed and the rest is written, 2 wrong usage, 3 nothing could be read, 4 stopped, 5 the workspace is damaged and what is whole was used."

// Globals are the flags of every command.
type Globals struct {
	Workspace string           `placeholder:"FILE" help:"Workspace file. Default: in the user's data folder of the system."`
	JSON      bool             `name:"json" help:"Print one JSON object a line on standard output."`
	Quiet     bool             `help:"Show no progress."`
	Threads   int              `placeholder:"N" help:"How much to compute at once. Default: one a core."`
	Shared    bool             `help:"Let others on this computer read what is written, as the umask says. Default: you alone."`
	Version   kong.VersionFlag `help:"Print the version."`
}

// cli is the whole command line.
type cli struct {
	Globals

	Open       openCommand       `cmd:"" hidden:"" default:"withargs"`
	Import     importCommand     `cmd:"" help:"Build a network from OpenStreetMap extracts and keep it in the workspace."`
	Networks   networksCommand   `cmd:"" help:"List or remove the networks of the workspace."`
	Store      workspaceCommand  `cmd:"" name:"workspace" help:"Check a workspace, or save what is whole of a damaged one."`
	Inspect    inspectCommand    `cmd:"" aliases:"preview" help:"Tell what files are and what would be read from them; also called preview."`
	Convert    convertCommand    `cmd:"" help:"Write trajectories as they were reported in another format."`
	Recover    recoverCommand    `cmd:"" help:"Recover trajectories."`
	Stream     streamCommand     `cmd:"" help:"Recover an Arrow stream on standard input, for engines like Spark."`
	Evaluate   evaluateCommand   `cmd:"" help:"Measure recovery on dense trips that are thinned."`
	Render     renderCommand     `cmd:"" help:"Draw the map as a picture."`
	Export     exportCommand     `cmd:"" help:"Write the recoveries of the workspace in another format."`
	Flow       flowCommand       `cmd:"" help:"Count who drove where and when, with intervals."`
	Report     reportCommand     `cmd:"" help:"Write recoveries as one HTML page, with maps."`
	Sample     sampleCommand     `cmd:"" help:"Write a generated city, sparse trips over it and their truth."`
	Simulate   simulateCommand   `cmd:"" help:"Make trips over a network with exact truth."`
	Dataset    datasetCommand    `cmd:"" help:"Write tensors for training, from dense or simulated trips."`
	Devices    devicesCommand    `cmd:"" help:"List what models can run on in this computer."`
	Model      modelCommand      `cmd:"" help:"Tell what a model is, or check it."`
	Doctor     doctorCommand     `cmd:"" help:"Print what somebody who helps you needs to know, and nothing personal."`
	Completion completionCommand `cmd:"" help:"Print the completion script of a shell."`
	Probe      probeCommand      `cmd:"" hidden:"" name:"__probe"`
	Display    displayCommand    `cmd:"" hidden:"" name:"__display"`
	Complete   completeCommand   `cmd:"" hidden:"" name:"__complete" passthrough:""`
}
