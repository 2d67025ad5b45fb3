package io.plat.fronts.check;

import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.http.process.OptionalJars;
import io.plat.review.status.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Provider of an optional protocol with its own libraries: loaded as a service, from jars that are only opened for its flag. */
public interface FrontProvider {
    /** Returns the flag that enables it, such as {@code --envoy-check}. */
    String flag();

    /**
     * Creates the handler. It answers the calls of its protocol, including those of clients that are not allowed, and passes on all other requests.
     */
    Handler.Wrapper create(Parts parts);

    /**
     * Parts of a decider that a protocol needs.
     *
     * @param decisions the decision service
     * @param admission returns the reason for rejecting the client of a request, or null
     * @param intake admission of requests
     * @param check the settings of checks
     */
    record Parts(
            Decisions decisions, Function<Request, @Nullable Status> admission, Intake intake, CheckSettings check) {}

    /**
     * Finds the provider for a flag.
     *
     * @param directory the directory of its jar, with its libraries in {@code lib}
     * @throws IOException if there is none
     */
    static FrontProvider find(Path directory, String flag) throws IOException {
        return OptionalJars.find(
                FrontProvider.class,
                directory,
                provider -> provider.flag().equals(flag),
                List.of(
                        "io.plat.fronts.",
                        "io.plat.engine.",
                        "io.plat.http.",
                        "io.plat.review.",
                        "org.eclipse.jetty.",
                        "org.slf4j.",
                        "org.jspecify.annotations."));
    }
}
