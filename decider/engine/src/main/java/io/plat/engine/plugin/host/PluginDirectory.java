package io.plat.engine.plugin.host;

import io.plat.engine.Authorizer;
import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.process.SharedClasses;
import io.plat.review.source.Problem;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The plug-ins of a directory, each instantiated and ready. The directory is read once. */
public final class PluginDirectory implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][-A-Za-z0-9._]{0,62}");

    /** Maximum length of the message of a plug-in that cannot be instantiated, in characters. */
    private static final int MAX_CAUSE = 400;

    /** Time limit for instantiating all plug-ins: without one, a hanging plug-in would block the start without a message. */
    private static final PluginCalls.Limits INSTANTIATION = new PluginCalls.Limits(1, Duration.ofSeconds(10));

    private final List<PluginJar> jars;
    private final URLClassLoader loader;
    private final Map<String, PluginAuthorizer> authorizers = new LinkedHashMap<>();

    private PluginDirectory(List<PluginJar> jars) {
        this.jars = jars;
        this.loader = new URLClassLoader(
                "plugins",
                jars.stream().map(PluginJar::url).toArray(URL[]::new),
                new SharedClasses(AuthorizerPlugin.class.getClassLoader(), PluginDirectory::isInterface));
    }

    /** Returns whether a class belongs to the package of the plug-in interface. */
    private static boolean isInterface(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('.'))).equals(AuthorizerPlugin.class.getPackageName());
    }

    /**
     * Instantiates the plug-ins of a directory; unusable ones are left out.
     *
     * @param reserved names that a plug-in must not have
     * @param problems receives the problems
     */
    public static PluginDirectory open(Path directory, Set<String> reserved, Consumer<Problem> problems) {
        return open(directory, reserved, problems, INSTANTIATION);
    }

    static PluginDirectory open(
            Path directory, Set<String> reserved, Consumer<Problem> problems, PluginCalls.Limits limits) {
        PluginDirectory plugins = new PluginDirectory(PluginJar.of(directory, problems));
        plugins.findCopies(problems);
        Map<String, PluginAuthorizer> instances = new LinkedHashMap<>();
        List<Problem> failures = new ArrayList<>();
        try (PluginCalls calls = new PluginCalls(limits, "instantiation", plugins.loader)) {
            var _ = calls.call(() -> {
                plugins.instantiateAll(directory, reserved, instances, failures::add);
                return true;
            });
            plugins.authorizers.putAll(instances);
            failures.forEach(problems);
        } catch (PluginCalls.CallTimeoutException late) {
            // The abandoned thread may still modify the collections passed to it.
            problems.accept(PluginJar.problem(
                    directory,
                    "the plug-ins cannot be instantiated: no end within "
                            + limits.deadline().toMillis() + " ms"));
        } catch (ExecutionException failed) {
            failures.forEach(problems);
            problems.accept(PluginJar.problem(
                    directory,
                    "the plug-ins cannot be instantiated: "
                            + Objects.requireNonNullElse(failed.getCause(), failed)
                                    .getClass()
                                    .getName()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            problems.accept(PluginJar.problem(directory, "the plug-ins cannot be instantiated: interrupted"));
        }
        return plugins;
    }

    /** Returns the plug-ins by name, in the order of their jars. */
    public Map<String, Authorizer> authorizers() {
        return Collections.unmodifiableMap(authorizers);
    }

    /** Reports classes in more than one jar: only the first jar, which may be the older one, would be effective. */
    private void findCopies(Consumer<Problem> problems) {
        Map<String, PluginJar> first = new HashMap<>();
        for (PluginJar jar : jars) {
            for (String provider : jar.providers()) {
                PluginJar other = first.putIfAbsent(provider, jar);
                if (other != null) {
                    problems.accept(jar.problem("plug-in " + provider + " is also in " + other.file()));
                }
            }
        }
    }

    private void instantiateAll(
            Path directory, Set<String> reserved, Map<String, PluginAuthorizer> instances, Consumer<Problem> problems) {
        Iterator<AuthorizerPlugin> providers =
                ServiceLoader.load(AuthorizerPlugin.class, loader).iterator();
        boolean more = true;
        while (more) {
            try {
                more = providers.hasNext();
                if (more) {
                    add(providers.next(), reserved, instances, problems);
                }
            } catch (ServiceConfigurationError | LinkageError | StackOverflowError e) {
                problems.accept(notInstantiated(directory, e));
            }
        }
    }

    private Problem notInstantiated(Path directory, Error error) {
        String message = String.valueOf(error.getMessage()).replaceFirst("^.*AuthorizerPlugin: ", "");
        String kind = error instanceof ServiceConfigurationError ? "" : PluginFailures.kind(error) + ": ";
        Throwable cause = error.getCause();
        String because = cause == null ? "" : ": " + described(cause);
        String text = "a plug-in cannot be instantiated: " + cut(kind + message + because);
        String classes = message.replace('/', '.');
        return jars.stream()
                .filter(jar -> jar.providers().stream().anyMatch(classes::contains))
                .findFirst()
                .map(jar -> jar.problem(text))
                .orElseGet(() -> PluginJar.problem(directory, text));
    }

    private void add(
            AuthorizerPlugin plugin,
            Set<String> reserved,
            Map<String, PluginAuthorizer> instances,
            Consumer<Problem> problems) {
        String type = plugin.getClass().getName();
        PluginJar jar = jars.stream()
                .filter(each -> each.providers().contains(type))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a plug-in outside of the jars: " + type));
        String name;
        try {
            name = String.valueOf(plugin.name());
        } catch (RuntimeException | Error thrown) {
            // Third-party code: all of its failures are reported to the operator.
            problems.accept(jar.problem("plug-in " + type + " has no name: " + cut(described(thrown))));
            return;
        }
        String problem = problemOf(name, reserved, instances);
        if (problem.isEmpty()) {
            instances.put(name, new PluginAuthorizer(name, jar.file().toString(), plugin, PluginCalls.Limits.DEFAULT));
        } else {
            problems.accept(jar.problem("plug-in " + type + " is named " + Quoted.of(name) + problem));
        }
    }

    private static String problemOf(String name, Set<String> reserved, Map<String, PluginAuthorizer> instances) {
        if (!NAME.matcher(name).matches()) {
            return ", expected a letter and then up to 62 letters, digits, dots, underscores or hyphens";
        }
        if (reserved.contains(name)) {
            return ", as a mode is that every server has";
        }
        PluginAuthorizer other = instances.get(name);
        return other == null ? "" : ", as is a plug-in in " + other.source();
    }

    private static String described(Throwable thrown) {
        String message = thrown.getMessage();
        String kind = PluginFailures.kind(thrown);
        return message == null ? kind : kind + ": " + message;
    }

    private static String cut(String text) {
        return Quoted.oneLine(text, MAX_CAUSE);
    }

    /**
     * Closes the plug-ins: there are no further calls and no class is loaded.
     *
     * @throws IOException if a jar cannot be closed
     */
    @Override
    public void close() throws IOException {
        authorizers.values().forEach(PluginAuthorizer::close);
        loader.close();
    }
}
