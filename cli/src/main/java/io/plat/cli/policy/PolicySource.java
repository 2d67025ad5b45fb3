package io.plat.cli.policy;

import io.plat.cli.server.HttpsConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** A policy that arguments name: files, folders, or the role objects of the server that the connection flags mean. */
public final class PolicySource {
    private static final String SERVER = "server:";

    private PolicySource() {}

    /** Returns whether an argument means a server's role objects. */
    public static boolean isServer(String argument) {
        return argument.equals(SERVER);
    }

    /**
     * Reads several sources as one policy.
     *
     * @param arguments paths, and {@code server:}
     * @param server connects to the server, if it is used
     * @throws io.plat.cli.process.CommandException if one can't be read
     */
    public static PolicyDocuments read(List<String> arguments, Supplier<HttpsConnection> server) {
        List<Path> paths = arguments.stream()
                .filter(argument -> !isServer(argument))
                .map(Path::of)
                .toList();
        PolicyDocuments files = PolicyReader.read(paths);
        return paths.size() == arguments.size() ? files : files.with(ServerRoles.read(server.get()));
    }
}
