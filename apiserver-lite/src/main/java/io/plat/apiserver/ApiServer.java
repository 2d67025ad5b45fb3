package io.plat.apiserver;

import io.plat.http.process.ServerProcess;

/** The program {@code apiserver-lite}. */
public final class ApiServer {
    private ApiServer() {}

    /** Runs the server until it is told to stop. */
    public static void main(String[] arguments) {
        ServerProcess.run(new ApiServerProgram(), arguments);
    }
}
