package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.Allocator;
import io.plat.apiserver.allocation.Owner;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Gives services their addresses and ports: what they ask for where nobody has it, else any. */
public final class ServiceAllocation {
    /** The resource that stores services. */
    static final String SERVICES = "services";

    private static final String FAMILY = "IPv4";
    private static final String SINGLE = "SingleStack";
    private static final String REQUIRED = "RequireDualStack";

    private final Allocator addresses;
    private final Allocator ports;

    public ServiceAllocation(ObjectStore store, ServiceNetworks networks, RandomGenerator random) {
        this.addresses = new Allocator(
                store,
                "service-addresses",
                networks.addresses(),
                random,
                (object, owner, item) ->
                        is(object, owner) && addresses(spec(object)).contains(item));
        this.ports = new Allocator(
                store,
                "service-ports",
                networks.ports(),
                random,
                (object, owner, item) ->
                        is(object, owner) && ServicePorts.used(spec(object)).contains(Integer.valueOf(item)));
    }

    private static boolean is(Entry object, Owner owner) {
        return Json.text(StoredForm.decode(object.value(), 0).path("metadata"), "uid")
                .equals(owner.uid());
    }

    private static JsonNode spec(Entry object) {
        return StoredForm.decode(object.value(), 0).path("spec");
    }

    private static List<String> addresses(JsonNode spec) {
        return ServiceAddresses.headless(spec) ? List.of() : Json.texts(spec.path(ServiceAddresses.ALL));
    }

    /**
     * Gives an object what it needs, where it is a service.
     *
     * @param object what is to be written; stays as it is
     * @param before its present state; null for a creation
     * @param dryRun whether nothing is to be kept for it
     * @throws StatusException 422 where it asks for what it can't have, 500 where nothing is left
     */
    public Allocation allocate(Target target, ObjectNode object, @Nullable ObjectNode before, boolean dryRun)
            throws StatusException, StorageException {
        if (!target.type().storage().equals(SERVICES) || !ServiceAddresses.has(object.path("spec"))) {
            return Allocation.none(target, object);
        }
        ObjectNode given = object.deepCopy();
        ObjectNode spec = Json.child(given, "spec");
        beOfOneFamily(target, spec);
        var owner = new Owner(target.key(), Json.text(given.path("metadata"), "uid"));
        var allocation = new Allocation(target, given, owner, dryRun);
        try {
            JsonNode had = before == null ? Json.object() : before.path("spec");
            allocateAddress(spec, had, allocation);
            allocatePorts(spec, had, allocation);
        } catch (StatusException | StorageException e) {
            allocation.release();
            throw e;
        }
        return allocation;
    }

    /** There is one family of addresses. */
    private static void beOfOneFamily(Target target, ObjectNode spec) throws StatusException {
        boolean free = ServiceAddresses.headless(spec) && spec.path("selector").isEmpty();
        ServiceRules.putAbsent(spec, ServiceAddresses.POLICY, free ? REQUIRED : SINGLE);
        String policy = Json.text(spec, ServiceAddresses.POLICY);
        var causes = new Causes();
        if (!free) {
            if (policy.equals(REQUIRED)) {
                causes.invalid(
                        "spec." + ServiceAddresses.POLICY,
                        policy,
                        "this cluster is not configured for dual-stack services");
            }
            List<String> families = Json.texts(spec.path(ServiceAddresses.FAMILIES));
            for (int i = 0; i < families.size(); i++) {
                if (!families.get(i).equals(FAMILY)) {
                    causes.invalid(
                            "spec." + ServiceAddresses.FAMILIES + "[" + i + "]",
                            families.get(i),
                            "not configured on this cluster");
                }
            }
            JsonNode all = spec.path(ServiceAddresses.ALL);
            for (int i = 0; i < all.size(); i++) {
                if (all.path(i).asText().contains(":")) {
                    causes.invalidLiteral(
                            "spec." + ServiceAddresses.ALL + "[" + i + "]",
                            all.toString(),
                            "IPv6 is not configured on this cluster");
                }
            }
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalid(target.type(), target.name(), causes.list());
        }
        ArrayNode families = spec.withArray(ServiceAddresses.FAMILIES);
        if (families.isEmpty()) {
            families.add(FAMILY);
        }
        if (free && families.size() == 1 && !policy.equals(SINGLE)) {
            families.add(families.path(0).asText().equals(FAMILY) ? "IPv6" : FAMILY);
        }
    }

    private void allocateAddress(ObjectNode spec, JsonNode had, Allocation allocation)
            throws StatusException, StorageException {
        if (ServiceAddresses.headless(spec)) {
            return;
        }
        List<String> asked = addresses(spec);
        if (asked.isEmpty()) {
            String drawn = allocation.draw(addresses, item -> false, "serviceIP");
            spec.put(ServiceAddresses.ONE, drawn).putArray(ServiceAddresses.ALL).add(drawn);
            return;
        }
        for (String address : asked) {
            if (!addresses(had).contains(address)) {
                String problem = !addresses.range().contains(address)
                        ? "the provided IP (" + address + ") is not in the valid range. The range of valid IPs is "
                                + addresses.range()
                        : allocation.take(addresses, address) ? "" : "provided IP is already allocated";
                if (!problem.isEmpty()) {
                    throw allocation.refusal(
                            "spec." + ServiceAddresses.ALL,
                            spec.path(ServiceAddresses.ALL).toString(),
                            "failed to allocate IP " + address + ": " + problem);
                }
            }
        }
    }

    private void allocatePorts(ObjectNode spec, JsonNode had, Allocation allocation)
            throws StatusException, StorageException {
        Set<Integer> before = ServicePorts.used(had);
        JsonNode list = spec.path("ports");
        for (int i = 0; i < list.size(); i++) {
            int asked = list.path(i).path(ServicePorts.PORT).asInt();
            if (asked != 0 && !before.contains(asked)) {
                take("spec.ports[" + i + "]." + ServicePorts.PORT, asked, allocation);
            }
        }
        if (spec.path(ServicePorts.HEALTH).asInt() != 0
                && !before.contains(spec.path(ServicePorts.HEALTH).asInt())) {
            take("spec." + ServicePorts.HEALTH, spec.path(ServicePorts.HEALTH).asInt(), allocation);
        }
        for (JsonNode port : list) {
            if (ServicePorts.has(spec) && port.path(ServicePorts.PORT).asInt() == 0) {
                ((ObjectNode) port).put(ServicePorts.PORT, shared(spec, port, allocation));
            }
        }
        if (ServicePorts.hasHealth(spec) && spec.path(ServicePorts.HEALTH).asInt() == 0) {
            spec.put(ServicePorts.HEALTH, drawPort(spec, allocation));
        }
    }

    private void take(String field, int port, Allocation allocation) throws StatusException, StorageException {
        String item = Integer.toString(port);
        if (!ports.range().contains(item)) {
            throw allocation.refusal(
                    field,
                    item,
                    "provided port is not in the valid range. The range of valid ports is " + ports.range());
        }
        if (!allocation.take(ports, item)) {
            throw allocation.refusal(field, item, "provided port is already allocated");
        }
    }

    /** One port number by several protocols is one of the nodes' too. */
    private int shared(ObjectNode spec, JsonNode port, Allocation allocation) throws StatusException, StorageException {
        for (JsonNode other : spec.path("ports")) {
            if (other.path("port").equals(port.path("port"))
                    && !other.path("protocol").equals(port.path("protocol"))
                    && other.path(ServicePorts.PORT).asInt() != 0) {
                return other.path(ServicePorts.PORT).asInt();
            }
        }
        return drawPort(spec, allocation);
    }

    private int drawPort(ObjectNode spec, Allocation allocation) throws StatusException, StorageException {
        Set<Integer> used = ServicePorts.used(spec);
        return Integer.parseInt(allocation.draw(ports, item -> used.contains(Integer.valueOf(item)), "nodePort"));
    }

    /** Begins to release what was allocated to a service that is gone. */
    void release(Entry last) throws StorageException {
        ObjectNode service = StoredForm.decode(last.value(), 0);
        var owner = new Owner(last.key(), Json.text(service.path("metadata"), "uid"));
        for (String address : addresses(service.path("spec"))) {
            addresses.release(owner, address);
        }
        for (Integer port : ServicePorts.used(service.path("spec"))) {
            ports.release(owner, port.toString());
        }
    }
}
