package io.plat.apiserver.registration;

import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.process.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Objects that describe the servers. Exactly one server maintains them; each announces its own address while it serves. */
public final class Registration implements AutoCloseable {
    private final Parts parts;
    private final Presence presence;
    private final CompletableFuture<Integer> listening = new CompletableFuture<>();

    /**
     * Parts of the registration.
     *
     * @param advertisedAddress advertised address of this server, empty if it is not advertised; evaluated once, from a thread that may
     *     block
     */
    public record Parts(
            ObjectStore store,
            ResourceOperations operations,
            ResourceCatalog catalog,
            ServedTypes types,
            DynamicTypes dynamicTypes,
            ItemRange addresses,
            Supplier<Optional<String>> advertisedAddress) {}

    /** Creates the registration; it is inactive until the server listens. */
    public Registration(Parts parts) {
        this.parts = parts;
        this.presence = parts.store().presence();
    }

    /** Starts the controllers, which run on the elected server once it listens. The caller closes each of them. */
    public List<AutoCloseable> startControllers() {
        var service = new KubernetesServiceController(
                parts.operations(), parts.catalog(), parts.addresses(), presence, listening);
        var groups = new ApiServiceController(parts, listening);
        service.start();
        groups.start();
        return List.of(service, groups);
    }

    /** Starts, with the port on which the server listens. Returns immediately. */
    public void begin(int port) {
        Tasks.virtual("registration", () -> {
            parts.advertisedAddress().get().ifPresent(presence::announce);
            listening.complete(port);
        });
    }

    /** Withdraws the address before shutdown, so that clients use other servers. Returns immediately. */
    public void withdraw() {
        Tasks.virtual("registration", presence::close);
    }

    @Override
    public void close() {
        presence.close();
    }
}
