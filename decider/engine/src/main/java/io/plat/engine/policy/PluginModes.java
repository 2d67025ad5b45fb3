package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.engine.plugin.host.PluginDirectory;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The modes of plug-ins: every selected mode that is not built in, if there is a directory of plug-ins. Without a directory such a mode is unknown. Not
 * thread-safe; opened once.
 */
public final class PluginModes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PluginModes.class);

    private final @Nullable Path directory;
    private final @Nullable List<String> modes;
    private @Nullable PluginDirectory plugins;

    /**
     * Creates the modes without reading the directory.
     *
     * @param directory {@code --authorization-plugin-dir}, or null
     * @param chosen the names in {@code --authorization-mode}; null for all plug-ins
     */
    public PluginModes(@Nullable Path directory, @Nullable List<String> chosen) {
        this.directory = directory;
        this.modes = directory == null
                ? List.of()
                : chosen == null
                        ? null
                        : chosen.stream()
                                .filter(mode -> !ModeValidation.BUILT_IN.contains(mode))
                                .toList();
    }

    /**
     * Returns the sources of their authorizers, by mode. {@link #open} must be called before a source is opened; before it, the map is empty if all
     * plug-ins are selected.
     */
    public Map<String, AuthorizerSource> sources() {
        Map<String, AuthorizerSource> sources = new LinkedHashMap<>();
        PluginDirectory read = plugins;
        Collection<String> all = read == null ? List.of() : read.authorizers().keySet();
        (modes == null ? all : modes).forEach(mode -> sources.put(mode, () -> authorizer(mode)));
        return sources;
    }

    /** Reads the directory and instantiates the plug-ins; returns all problems. */
    public List<Problem> open() {
        List<Problem> problems = new ArrayList<>();
        Path from = directory;
        if (from != null) {
            plugins = PluginDirectory.open(from, ModeValidation.BUILT_IN, problems::add);
            if (modes != null && modes.isEmpty() && problems.isEmpty()) {
                LOG.warn(
                        "no authorization mode is a plug-in of --authorization-plugin-dir: directory={} provided={}",
                        from,
                        plugins.authorizers().isEmpty()
                                ? "none"
                                : String.join(",", plugins.authorizers().keySet()));
            }
        }
        return problems;
    }

    private Authorizer authorizer(String mode) throws ProblemsException {
        PluginDirectory opened = plugins;
        if (opened == null) {
            throw new IllegalStateException("not opened");
        }
        Authorizer authorizer = opened.authorizers().get(mode);
        if (authorizer == null) {
            throw new ProblemsException(new Problem(
                    new Location(ModeValidation.MODE_FLAG, 0),
                    "unknown mode " + Quoted.of(mode) + ", expected " + ModeValidation.listed(ModeValidation.BUILT_IN)
                            + " or a plug-in of " + directory + ", " + provided(opened)));
        }
        return authorizer;
    }

    private static String provided(PluginDirectory opened) {
        return opened.authorizers().isEmpty()
                ? "which has none that can be used"
                : "which has " + ModeValidation.listed(opened.authorizers().keySet());
    }

    /**
     * Closes the plug-ins.
     *
     * @throws IOException if a jar cannot be closed
     */
    @Override
    public void close() throws IOException {
        PluginDirectory opened = plugins;
        if (opened != null) {
            opened.close();
        }
    }
}
