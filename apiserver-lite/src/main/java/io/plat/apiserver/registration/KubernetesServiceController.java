package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the {@code kubernetes} service, its endpoints and the range of service addresses, in rounds of a few seconds: creates missing
 * objects, and updates the addresses. An existing service is left unchanged, regardless of its creator.
 */
final class KubernetesServiceController implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesServiceController.class);
    private static final Duration ROUND = Duration.ofSeconds(5);

    private final ManagedObject network;
    private final ManagedObject service;
    private final ManagedObject endpoints;
    private final ManagedObject slice;
    private final ItemRange addresses;
    private final Presence presence;
    private final CompletableFuture<Integer> port;
    private final BackgroundLoop rounds =
            BackgroundLoop.virtual("kubernetes-service", () -> round() ? BackgroundLoop.UNTIL_SIGNAL : ROUND);
    private String told = "";
    private volatile boolean closed;

    /**
     * @param addresses range of cluster IPs, of which the service has the first
     * @param presence addresses of the servers
     * @param port port of this server, once it listens; nothing is done before
     */
    KubernetesServiceController(
            ResourceOperations operations,
            ResourceCatalog catalog,
            ItemRange addresses,
            Presence presence,
            CompletableFuture<Integer> port) {
        this.network = written(operations, catalog, "networking.k8s.io", "servicecidrs");
        this.service = written(operations, catalog, "", "services");
        this.endpoints = written(operations, catalog, "", "endpoints");
        this.slice = written(operations, catalog, "discovery.k8s.io", "endpointslices");
        this.addresses = addresses;
        this.presence = presence;
        this.port = port;
    }

    private static ManagedObject written(
            ResourceOperations operations, ResourceCatalog catalog, String group, String resource) {
        var type = catalog.find(group, "v1", resource).orElseThrow();
        String namespace = type.namespaced() ? KubernetesService.NAMESPACE : "";
        return new ManagedObject(operations, new Target(type, namespace, KubernetesService.NAME));
    }

    /** Starts once the server listens. */
    void start() {
        var _ = port.thenAccept(listening -> rounds.start());
    }

    /** Performs a round; returns false, as there is always another. */
    private boolean round() {
        try {
            keep(port.join());
            told = "";
        } catch (StatusException failed) {
            tell(String.valueOf(failed.status().message()));
        } catch (StorageException failed) {
            tell(String.valueOf(failed.getMessage()));
        }
        return false;
    }

    /** Logs a failure once, not in every round. */
    private void tell(String why) {
        if (!why.equals(told) && !closed) {
            LOG.warn("the service {} and its endpoints are not up to date: {}", KubernetesService.NAME, why);
        }
        told = why;
    }

    private void keep(int listening) throws StatusException, StorageException {
        if (service.now().isEmpty()) {
            service.create(KubernetesService.service(addresses.at(0), listening));
        }
        Optional<ObjectNode> range = network.now();
        if (range.isEmpty()) {
            network.create(KubernetesService.network(addresses.toString()));
        } else if (range.get().path("status").isEmpty()) {
            ObjectNode ready = range.get().deepCopy();
            KubernetesService.markReady(ready);
            network.updateStatus(ready);
        }
        SortedSet<String> servers = new TreeSet<>(presence.present());
        if (servers.isEmpty()) {
            // This server is stopping or not advertised: the other addresses stay.
            return;
        }
        keep(
                endpoints,
                KubernetesService.endpoints(),
                object -> KubernetesService.fillEndpoints(object, servers, listening));
        keep(slice, KubernetesService.slice(), object -> KubernetesService.fillSlice(object, servers, listening));
    }

    private static void keep(ManagedObject written, ObjectNode empty, Consumer<ObjectNode> filling)
            throws StatusException {
        Optional<ObjectNode> now = written.now();
        ObjectNode object = now.map(ObjectNode::deepCopy).orElse(empty);
        filling.accept(object);
        if (now.isEmpty()) {
            written.create(object);
        } else if (!object.equals(now.get())) {
            written.update(object);
        }
    }

    @Override
    public void close() {
        closed = true;
        rounds.close();
    }
}
