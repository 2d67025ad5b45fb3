package io.plat.apiserver;

import io.plat.http.process.ServerProcess;
import java.util.Arrays;

/** The program {@code apiserver-lite}. */
public final class ApiServer {
    private ApiServer() {}

    /** Runs the server until it is told to stop, or the command that the first argument names. */
    public static void main(String[] arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        switch (first) {
            case CheckTool.NAME -> ServerProcess.runTool(new CheckTool(version()), behindFirst(arguments));
            case BackupTool.NAME -> ServerProcess.runTool(new BackupTool(version()), behindFirst(arguments));
            case RestoreTool.NAME -> ServerProcess.runTool(new RestoreTool(version()), behindFirst(arguments));
            case MigrateTool.NAME -> ServerProcess.runTool(new MigrateTool(version()), behindFirst(arguments));
            default -> ServerProcess.run(new ApiServerProgram(), arguments);
        }
    }

    private static String[] behindFirst(String[] arguments) {
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    /** The version of the program. */
    static String version() {
        String packaged = ApiServer.class.getPackage().getImplementationVersion();
        return packaged == null ? "development" : packaged;
    }
}
