package io.plat.decider;

import io.plat.fronts.authzen.AuthZen;
import io.plat.fronts.authzen.MappingFile;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.tls.files.FileWatch;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of the AuthZEN API. */
final class AuthZenFlags {
    private static final FlagType<URI> URL = new FlagType<>(
            "an https URL without user, query and fragment, such as https://pdp.example.com",
            text -> ServerConnection.url(text.replaceAll("/+$", "")));

    private final Flag<Boolean> enabled;
    private final Flag<Optional<URI>> publicUrl;
    private final Flag<Optional<Path>> mapping;

    AuthZenFlags(FlagSet set) {
        enabled = set.toggle("authzen");
        publicUrl = set.optional("public-url", URL);
        mapping = set.optional("authzen-mapping", FlagType.PATH);
        set.check((values, problems) -> {
            if (!values.find(enabled).orElse(true)) {
                for (Flag<?> flag : List.of(publicUrl, mapping)) {
                    if (values.isSet(flag)) {
                        problems.add(flag, "requires --authzen");
                    }
                }
            }
        });
    }

    /**
     * Opens the API; null without it, or after reporting a problem.
     *
     * @param watching settings for watching the mapping file; empty if it is not watched
     */
    AuthZen.@Nullable Settings open(
            FlagValues values,
            Optional<FileWatch.Settings> watching,
            ServerMetrics metrics,
            OpenResources opened,
            StartException.Collector problems) {
        if (!values.get(enabled)) {
            return null;
        }
        Path file = values.get(mapping).orElse(null);
        return problems.open(
                mapping.dashed(),
                () -> new AuthZen.Settings(
                        values.get(publicUrl).orElse(null),
                        file == null ? null : new MappingFile(file, watching, metrics, opened)));
    }
}
