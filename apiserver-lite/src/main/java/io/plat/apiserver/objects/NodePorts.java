package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.Allocator;
import io.plat.apiserver.storage.StorageException;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Allocation of node ports for one service, in time linear in the number of its ports. */
final class NodePorts {
    private final ObjectNode spec;
    private final Allocation allocation;
    private final Allocator ports;
    private final Set<Integer> used;

    /** Ports of the service by number; each protocol may have one. */
    private final Map<Integer, List<ObjectNode>> byNumber = new HashMap<>();

    NodePorts(ObjectNode spec, Allocation allocation, Allocator ports) {
        this.spec = spec;
        this.allocation = allocation;
        this.ports = ports;
        this.used = ServiceRules.used(spec);
        for (JsonNode port : spec.path("ports")) {
            byNumber.computeIfAbsent(number(port), number -> new ArrayList<>()).add((ObjectNode) port);
        }
    }

    private static int number(JsonNode port) {
        return port.path("port").asInt();
    }

    private static int nodePort(JsonNode port) {
        return port.path(ServiceRules.PORT).asInt();
    }

    /** Allocates newly requested node ports, and draws those that are required but not specified. */
    void allocate(JsonNode before) throws StatusException, StorageException {
        Set<Integer> previous = ServiceRules.used(before);
        JsonNode list = spec.path("ports");
        for (int i = 0; i < list.size(); i++) {
            allocate("spec.ports[" + i + "]." + ServiceRules.PORT, nodePort(list.path(i)), previous);
        }
        allocate("spec." + ServiceRules.HEALTH, spec.path(ServiceRules.HEALTH).asInt(), previous);
        if (ServiceRules.hasPorts(spec)) {
            for (JsonNode port : list) {
                if (nodePort(port) == 0) {
                    ((ObjectNode) port).put(ServiceRules.PORT, shared(port));
                }
            }
        }
        if (ServiceRules.hasHealth(spec) && spec.path(ServiceRules.HEALTH).asInt() == 0) {
            spec.put(ServiceRules.HEALTH, allocateNext());
        }
    }

    private void allocate(String field, int port, Set<Integer> previous) throws StatusException, StorageException {
        if (port == 0 || previous.contains(port)) {
            return;
        }
        String item = Integer.toString(port);
        if (!ports.range().contains(item)) {
            throw allocation.refusal(
                    field,
                    item,
                    "provided port is not in the valid range. The range of valid ports is " + ports.range());
        }
        if (!allocation.allocate(ports, item)) {
            throw allocation.refusal(field, item, "provided port is already allocated");
        }
    }

    /** Returns the node port of the same port number with another protocol, or draws one. */
    private int shared(JsonNode port) throws StatusException, StorageException {
        for (JsonNode other : byNumber.getOrDefault(number(port), List.of())) {
            if (!other.path("protocol").equals(port.path("protocol")) && nodePort(other) != 0) {
                return nodePort(other);
            }
        }
        return allocateNext();
    }

    private int allocateNext() throws StatusException, StorageException {
        int allocated = Integer.parseInt(
                allocation.allocateNext(ports, item -> used.contains(Integer.valueOf(item)), "nodePort"));
        used.add(allocated);
        return allocated;
    }
}
