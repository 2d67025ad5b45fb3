package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.Allocator;
import io.plat.apiserver.allocation.ItemRange;
import io.plat.apiserver.allocation.Owner;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.process.Tasks;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Allocates cluster IPs and node ports of services: requested ones if they are free, otherwise any. */
public record ServiceAllocation(ObjectStore store, ServiceNetworks networks, RandomGenerator random) {
    static final String SERVICES = "services";

    private static final String FAMILY = "IPv4";
    private static final String SINGLE = "SingleStack";
    private static final String REQUIRED = "RequireDualStack";

    private Allocator addresses() {
        return allocator("service-addresses", networks.addresses(), ServiceAllocation::addresses);
    }

    private Allocator ports() {
        return allocator(
                "service-ports",
                networks.ports(),
                spec -> ServiceRules.used(spec).stream().map(String::valueOf).toList());
    }

    private Allocator allocator(String resource, ItemRange range, Function<JsonNode, List<String>> items) {
        return new Allocator(store, resource, range, random, (object, owner) -> {
            JsonNode service = StoredForm.decode(object.value(), 0);
            return Json.text(service.path("metadata"), "uid").equals(owner.uid())
                    ? new HashSet<>(items.apply(service.path("spec")))
                    : Set.of();
        });
    }

    private static List<String> addresses(JsonNode spec) {
        return ServiceRules.headless(spec) ? List.of() : Json.texts(spec.path(ServiceRules.ALL));
    }

    /**
     * Allocates what an object needs, if it is a service.
     *
     * @param object object to be written; not modified
     * @param before current state; null for a creation
     * @param dryRun whether to allocate nothing permanently
     * @throws StatusException 422 if a requested item is unavailable, 500 if the range is exhausted
     */
    public Allocation allocate(Target target, ObjectNode object, @Nullable ObjectNode before, boolean dryRun)
            throws StatusException, StorageException {
        if (!target.type().storage().equals(SERVICES) || !ServiceRules.hasAddresses(object.path("spec"))) {
            return Allocation.none(target, object);
        }
        ObjectNode copy = object.deepCopy();
        ObjectNode spec = Json.child(copy, "spec");
        requireSingleFamily(target, copy);
        var owner = new Owner(target.key(), Json.text(copy.path("metadata"), "uid"));
        var allocation = new Allocation(target, copy, owner, dryRun, new ArrayList<>());
        try {
            JsonNode previous = before == null ? Json.object() : before.path("spec");
            allocateAddress(spec, previous, allocation);
            new NodePorts(spec, allocation, ports()).allocate(previous);
        } catch (StatusException | StorageException e) {
            allocation.release();
            throw e;
        }
        return allocation;
    }

    private static void requireSingleFamily(Target target, ObjectNode service) throws StatusException {
        ObjectNode spec = Json.child(service, "spec");
        boolean free = ServiceRules.headless(spec) && spec.path("selector").isEmpty();
        ServiceRules.putAbsent(spec, ServiceRules.POLICY, free ? REQUIRED : SINGLE);
        ApiErrors.requireValid(
                target.type(), target.name(), causes -> Rules.check("services/families", Field.of(service, causes)));
        ArrayNode families = spec.withArray(ServiceRules.FAMILIES);
        if (families.isEmpty()) {
            families.add(FAMILY);
        }
        if (free
                && families.size() == 1
                && !Json.text(spec, ServiceRules.POLICY).equals(SINGLE)) {
            families.add(families.path(0).asText().equals(FAMILY) ? "IPv6" : FAMILY);
        }
    }

    private void allocateAddress(ObjectNode spec, JsonNode previous, Allocation allocation)
            throws StatusException, StorageException {
        if (ServiceRules.headless(spec)) {
            return;
        }
        Allocator addresses = addresses();
        List<String> requested = addresses(spec);
        if (requested.isEmpty()) {
            String allocated = allocation.allocateNext(addresses, item -> false, "serviceIP");
            spec.put(ServiceRules.ONE, allocated).putArray(ServiceRules.ALL).add(allocated);
            return;
        }
        List<String> before = addresses(previous);
        for (String address : requested) {
            if (!before.contains(address)) {
                String problem = !addresses.range().contains(address)
                        ? "the provided IP (" + address + ") is not in the valid range. The range of valid IPs is "
                                + addresses.range()
                        : allocation.allocate(addresses, address) ? "" : "provided IP is already allocated";
                if (!problem.isEmpty()) {
                    throw allocation.refusal(
                            "spec." + ServiceRules.ALL,
                            spec.path(ServiceRules.ALL).toString(),
                            "failed to allocate IP " + address + ": " + problem);
                }
            }
        }
    }

    /** Returns a store that releases the allocations of a deleted service, regardless of how it is deleted. */
    public ObjectStore releasing() {
        return new DelegatingStore(store) {
            @Override
            public CompletableFuture<Outcome> submit(Transaction transaction) {
                CompletableFuture<Outcome> submitted = super.submit(transaction);
                if (transaction.value() == null && transaction.key().resource().equals(SERVICES)) {
                    // Reading may block, which the thread that completes a write must not.
                    var _ = submitted.thenAccept(
                            outcome -> Tasks.virtual("services-released", () -> released(outcome)));
                }
                return submitted;
            }
        };
    }

    private void released(Outcome outcome) {
        if (outcome instanceof Outcome.Committed(Event gone)) {
            try {
                release(gone.entry());
            } catch (StorageException e) {
                // Nothing depends on it: the items can be reallocated anyway.
                return;
            }
        }
    }

    private void release(Entry last) throws StorageException {
        ObjectNode service = StoredForm.decode(last.value(), 0);
        var owner = new Owner(last.key(), Json.text(service.path("metadata"), "uid"));
        Allocator addresses = addresses();
        for (String address : addresses(service.path("spec"))) {
            addresses.release(owner, address);
        }
        Allocator ports = ports();
        for (Integer port : ServiceRules.used(service.path("spec"))) {
            ports.release(owner, port.toString());
        }
    }
}
