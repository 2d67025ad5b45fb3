package io.plat.apiserver.registration;

import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.type.FurtherTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.process.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What a server says of itself by objects. Whichever server the work is done by, each says where it is, from when it listens until it
 * stops.
 */
public final class Registration implements AutoCloseable {
    private final Parts parts;
    private final Presence presence;
    private final CompletableFuture<Integer> listens = new CompletableFuture<>();

    /**
     * What it is about.
     *
     * @param store where others that share it are looked for
     * @param operations what objects are written by
     * @param catalog the types of the server itself
     * @param own which of them are served; asked once the server listens
     * @param further types made at run time
     * @param addresses where cluster IPs come from
     * @param place the address under which this server is reached; asked once, from a thread that may wait. Empty if it is not to be said
     */
    public record Parts(
            ObjectStore store,
            ResourceOperations operations,
            ResourceCatalog catalog,
            Supplier<ServedTypes> own,
            FurtherTypes further,
            ItemRange addresses,
            Supplier<Optional<String>> place) {}

    /** Nothing is said before the server listens. */
    public Registration(Parts parts) {
        this.parts = parts;
        this.presence = parts.store().presence();
    }

    /** The work that one of the servers does; it begins once this one listens. Each part is to be closed. */
    public List<AutoCloseable> keep() {
        var service = new ServiceKeeper(
                parts.operations(), parts.catalog(), parts.addresses().at(0), presence, listens);
        var groups = new ApiServiceKeeper(
                parts.store(), parts.operations(), parts.catalog(), parts.own(), parts.further(), listens);
        service.start();
        groups.start();
        return List.of(service, groups);
    }

    /** The server listens on a port. Returns at once. */
    public void begin(int port) {
        Tasks.virtual("registration", () -> {
            parts.place().get().ifPresent(presence::announce);
            listens.complete(port);
        });
    }

    /** The server will stop: clients are to go elsewhere. Returns at once. */
    public void leave() {
        Tasks.virtual("registration", presence::close);
    }

    @Override
    public void close() {
        presence.close();
    }
}
