package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.ProblemsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The client configuration files, in search order. A variable may name several, as in kubectl: the first one with a current context determines
 * its name, and the first one with that context its content.
 *
 * @param files the files; a file that a variable names and that does not exist is left out
 */
record ConfigFiles(List<Path> files) {
    ConfigFiles {
        files = List.copyOf(files);
    }

    static ConfigFiles of(@Nullable Path named, Environment surroundings) {
        if (named != null) {
            return new ConfigFiles(List.of(named));
        }
        for (String variable : List.of("PLATCONFIG", "KUBECONFIG")) {
            List<Path> listed = listed(surroundings.environment().getOrDefault(variable, ""));
            if (!listed.isEmpty()) {
                List<Path> present = listed.stream().filter(Files::exists).toList();
                if (present.isEmpty()) {
                    throw CommandException.undetermined(
                            "$" + variable + ": no such file: \"" + listed.getFirst() + "\"");
                }
                return new ConfigFiles(present);
            }
        }
        Path ownFile = surroundings.home().resolve(".plat").resolve("config");
        return new ConfigFiles(Files.exists(ownFile) ? List.of(ownFile) : List.of());
    }

    private static List<Path> listed(String value) {
        return Stream.of(value.split(java.io.File.pathSeparator))
                .filter(part -> !part.isEmpty())
                .map(Path::of)
                .toList();
    }

    /**
     * The connection of a context.
     *
     * @param context its name, or null for the current one
     * @param optional whether having none is fine, as the flags name a server
     * @return empty if there is no file, or none with a current context where that is fine
     */
    Optional<ServerConnection> resolve(@Nullable String context, boolean optional) {
        if (files.isEmpty()) {
            if (context != null) {
                throw CommandException.usage("--context: requires a client configuration file, and there is none");
            }
            return Optional.empty();
        }
        try {
            List<ClientConfig> configs = read();
            String wanted = context == null ? currentContext(configs) : context;
            if (wanted.isEmpty()) {
                return optional
                        ? Optional.empty()
                        : Optional.of(configs.getFirst().resolve());
            }
            ClientConfig holder = configs.stream()
                    .filter(config -> config.contexts().contains(wanted))
                    .findFirst()
                    .orElse(configs.getFirst());
            return Optional.of(
                    context == null && wanted.equals(holder.currentContext())
                            ? holder.resolve()
                            : holder.resolve(wanted));
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
    }

    /** The names of all contexts, in the order of the files. */
    List<String> contexts() throws ProblemsException {
        return read().stream()
                .flatMap(config -> config.contexts().stream())
                .distinct()
                .toList();
    }

    private List<ClientConfig> read() throws ProblemsException {
        List<ClientConfig> configs = new ArrayList<>();
        for (Path file : files) {
            configs.add(ClientConfig.read(file));
        }
        return configs;
    }

    private static String currentContext(List<ClientConfig> configs) {
        return configs.stream()
                .map(ClientConfig::currentContext)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("");
    }
}
