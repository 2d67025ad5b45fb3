package io.plat.decider;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of the AuthZEN API. */
final class AuthZenFlags {
    /** The flag to which problems with the mapping file are attributed. */
    static final String MAPPING = "--authzen-mapping";

    private static final FlagType<URI> URL = new FlagType<>(
            "an https URL without user, query and fragment, such as https://pdp.example.com", AuthZenFlags::url);

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
                    if (values.given(flag)) {
                        problems.add(flag, "only with --authzen");
                    }
                }
            }
        });
    }

    private static Optional<URI> url(String text) {
        try {
            URI url = new URI(text.replaceAll("/+$", ""));
            boolean usable = "https".equals(url.getScheme())
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            return usable ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException ignored) {
            return Optional.empty();
        }
    }

    boolean enabled(FlagValues values) {
        return values.get(enabled);
    }

    /** Returns the URL by which clients know the server, or null. */
    @Nullable
    URI publicUrl(FlagValues values) {
        return values.get(publicUrl).orElse(null);
    }

    /** Returns the mapping file, or null. */
    @Nullable
    Path mapping(FlagValues values) {
        return values.get(mapping).orElse(null);
    }
}
