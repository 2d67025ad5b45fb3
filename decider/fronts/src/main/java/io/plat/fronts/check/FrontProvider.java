package io.plat.fronts.check;

import io.plat.fronts.ClientIdentity;
import io.plat.fronts.Decisions;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OptionalJars;
import io.plat.review.status.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Provider of a protocol whose libraries are no one else's: loaded as a service, from jars that are opened for its flag only. */
public interface FrontProvider {
    /** Returns the flag that asks for it, such as {@code --envoy-check}. */
    String flag();

    /** Creates the handler. It answers the calls of its protocol, clients that may not ask included, and passes on all other requests. */
    Handler.Wrapper create(Parts parts);

    /**
     * Parts of a decider that a protocol needs.
     *
     * @param decisions decides
     * @param admission returns the reason why the client of a request may not ask, or null
     * @param reasonPolicy which clients receive reasons
     * @param inFlight maximum number of concurrent calls, 0 for no limit
     * @param metrics counts calls that are refused
     * @param check what the flags of checks say
     */
    record Parts(
            Decisions decisions,
            Function<Request, @Nullable Status> admission,
            ClientIdentity.ReasonPolicy reasonPolicy,
            int inFlight,
            ServerMetrics metrics,
            CheckSettings check) {}

    /**
     * Finds the provider for a flag.
     *
     * @param folder the folder of its jar; those of its libraries are in {@code lib} below it
     * @throws IOException if there is none
     */
    static FrontProvider find(Path folder, String flag) throws IOException {
        return OptionalJars.find(
                FrontProvider.class,
                folder,
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
