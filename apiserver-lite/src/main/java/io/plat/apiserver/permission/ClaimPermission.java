package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.filter.Denials;
import io.plat.apiserver.objects.AdmissionPlugins;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.Attributes;
import io.plat.review.ListOrder;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Permission checks of the status of claims of devices (Kubernetes 1.36, {@code DRAResourceClaimGranularStatusAuthorization}): to allocate
 * devices requires {@code resourceclaims/binding} in the whole cluster, and a driver {@code resourceclaims/driver} by its name. Access to devices in use
 * requires the namespace's label, as in a new claim.
 *
 * @param verb the verb of the request
 */
record ClaimPermission(PermissionChecks checks, String verb, ServedTypes types, ResourceOperations operations) {
    private static final String GROUP = "resource.k8s.io";
    private static final String CLAIMS = "resourceclaims." + GROUP;

    void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        if (before == null || !part.equals("status") || !target.type().storage().equals(CLAIMS)) {
            return;
        }
        JsonNode status = after.path("status");
        JsonNode earlier = before.path("status");
        requireAdminNamespace(target, results(status), results(earlier));
        if (differs(status, earlier, "allocation") || differs(status, earlier, "reservedFor")) {
            require(
                    target,
                    "changing status.allocation or status.reservedFor requires resource=\"resourceclaims/binding\", verb=\""
                            + verb + "\" permission: ",
                    List.of(access(target, verb, "binding", "", "")));
        }
        for (String driver : changedDrivers(status.path("devices"), earlier.path("devices"))) {
            List<String> verbs = isOnNode(status.path("allocation"))
                    ? List.of("associated-node:" + verb, "arbitrary-node:" + verb)
                    : List.of("arbitrary-node:" + verb);
            require(
                    target,
                    "changing status.devices requires resource=\"resourceclaims/driver\", verb=\"["
                            + String.join(" ", verbs) + "]\" permission: ",
                    verbs.stream()
                            .map(one -> access(target, one, "driver", target.namespace(), driver))
                            .toList());
        }
    }

    private static JsonNode results(JsonNode status) {
        return status.path("allocation").path("devices").path("results");
    }

    private void requireAdminNamespace(Target target, JsonNode results, JsonNode earlier) throws StatusException {
        int first = AdmissionPlugins.firstAdminAccess(results, "/adminAccess");
        if (first >= 0 && AdmissionPlugins.firstAdminAccess(earlier, "/adminAccess") < 0) {
            ResourceType namespaces =
                    types.find("", "v1", ResourceCatalog.NAMESPACES).orElseThrow();
            AdmissionPlugins.requireAdminLabel(
                    target,
                    target.name(),
                    operations.find(new Target(namespaces, "", target.namespace())),
                    "status.allocation.devices.results[" + first + "].adminAccess");
        }
    }

    private static boolean differs(JsonNode status, JsonNode earlier, String field) {
        JsonNode one = status.path(field);
        JsonNode other = earlier.path(field);
        return !one.equals(other) && !(one.isEmpty() && other.isEmpty());
    }

    private static Set<String> changedDrivers(JsonNode devices, JsonNode earlier) {
        Map<List<String>, JsonNode> known = new TreeMap<>(ListOrder.STRINGS);
        earlier.forEach(device -> known.put(key(device), device));
        Set<String> drivers = new TreeSet<>();
        for (JsonNode device : devices) {
            if (!device.equals(known.remove(key(device)))) {
                drivers.add(device.path("driver").asText());
            }
        }
        known.values().forEach(removed -> drivers.add(removed.path("driver").asText()));
        return drivers;
    }

    private static List<String> key(JsonNode device) {
        List<String> key = new ArrayList<>();
        for (String field : List.of("driver", "pool", "device", "shareID")) {
            key.add(device.path(field).asText());
        }
        return key;
    }

    /** Returns whether the writer is a service account on the only node for which the devices are allocated. */
    private boolean isOnNode(JsonNode allocation) {
        JsonNode terms = allocation.path("nodeSelector").path("nodeSelectorTerms");
        JsonNode fields = terms.path(0).path("matchFields");
        JsonNode field = fields.path(0);
        return terms.size() == 1
                && terms.path(0).path("matchExpressions").isEmpty()
                && fields.size() == 1
                && field.path("key").asText().equals("metadata.name")
                && field.path("operator").asText().equals("In")
                && field.path("values").size() == 1
                && AccountName.isOnNode(
                        checks.user(), field.path("values").path(0).asText());
    }

    private static ResourceAttributes access(Target target, String verb, String part, String namespace, String name) {
        return new ResourceAttributes(namespace, verb, GROUP, target.type().version(), "resourceclaims", part, name);
    }

    /** Requires any of some permissions. */
    private void require(Target target, String required, List<ResourceAttributes> accesses) throws StatusException {
        Optional<String> refusal = checks.refusal(accesses);
        if (refusal.isPresent()) {
            String denial = Denials.forbidden(new Attributes(checks.user(), accesses.getFirst()), refusal.get())
                    .message();
            throw ApiErrors.invalid(
                    target.type(),
                    target.name(),
                    causes -> causes.field("status.allocation", "").forbidden(required + denial));
        }
    }
}
