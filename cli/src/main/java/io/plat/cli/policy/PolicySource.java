package io.plat.cli.policy;

import io.plat.cli.CommandException;
import io.plat.cli.ConnectionOptions;
import io.plat.cli.Plat;
import java.nio.file.Path;
import java.util.List;

/** A policy that an argument names: a file, a folder, or the role objects of the server that the connection flags mean. */
public final class PolicySource {
    /** The argument that means a server's role objects. */
    public static final String SERVER = "server:";

    private PolicySource() {}

    /** Whether an argument means a server's role objects. */
    public static boolean isServer(String argument) {
        return argument.equals(SERVER);
    }

    /**
     * Reads several as one policy.
     *
     * @param arguments paths, and {@link #SERVER}
     * @throws CommandException if one can't be read
     */
    public static PolicyDocuments read(List<String> arguments, Plat plat, ConnectionOptions connection) {
        List<Path> paths = arguments.stream()
                .filter(argument -> !isServer(argument))
                .map(Path::of)
                .toList();
        PolicyDocuments files = PolicyReader.read(paths);
        return paths.size() == arguments.size() ? files : files.with(ServerRoles.read(plat.connect(connection)));
    }

    /**
     * Reads it, and warns of what was left out.
     *
     * @param argument a path, or {@link #SERVER}
     * @throws CommandException if it can't be read
     */
    public static PolicyDocuments read(String argument, Plat plat, ConnectionOptions connection) {
        return isServer(argument)
                ? ServerRoles.read(plat.connect(connection))
                : PolicyReader.read(List.of(Path.of(argument)));
    }
}
