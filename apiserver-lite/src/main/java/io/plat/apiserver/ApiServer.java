package io.plat.apiserver;

import io.plat.http.process.ServerProcess;
import io.plat.http.process.ToolProgram;
import java.util.Arrays;
import java.util.function.Function;

/** The program {@code apiserver-lite}. */
public final class ApiServer {
    private ApiServer() {}

    /** Runs the server until it is shut down, or the subcommand that the first argument names. */
    public static void main(String[] arguments) {
        Function<String, ToolProgram> tool = StoreTool.ALL.get(arguments.length == 0 ? "" : arguments[0]);
        if (tool == null) {
            ServerProcess.run(new ApiServerProgram(), arguments);
        } else {
            ServerProcess.runTool(tool.apply(version()), Arrays.copyOfRange(arguments, 1, arguments.length));
        }
    }

    static String version() {
        String packaged = ApiServer.class.getPackage().getImplementationVersion();
        return packaged == null ? "development" : packaged;
    }
}
