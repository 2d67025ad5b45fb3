package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.Target;
import io.plat.review.NameRule;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Admission of new objects that depends on other objects: service accounts and priority classes of pods, classes of ingresses, and namespaces
 * of claims of devices.
 */
public final class AdmissionPlugins {
    private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String NAME = "kube-api-access-";

    private static final String VOLUME = """
        {"name": "%s", "projected": {"defaultMode": 420, "sources": [
          {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
          {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
          {"downwardAPI": {"items": [
            {"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}]}}\
        """;

    private static final Comparator<JsonNode> NEWEST = Comparator.comparing(
                    (JsonNode metadata) -> Json.text(metadata, "creationTimestamp"))
            .thenComparing(metadata -> Json.text(metadata, "name"), Comparator.reverseOrder());

    /**
     * Field that a default class is set in.
     *
     * @param instead the annotation that names a class instead
     * @param classes resource of the classes
     * @param marks annotations of a default class, any of which marks one
     */
    record DefaultClass(String field, String instead, String classes, List<String> marks) {
        static final DefaultClass INGRESS = new DefaultClass(
                "ingressClassName",
                "kubernetes.io/ingress.class",
                "ingressclasses.networking.k8s.io",
                List.of("ingressclass.kubernetes.io/is-default-class"));
        static final DefaultClass STORAGE = new DefaultClass(
                "storageClassName",
                "volume.beta.kubernetes.io/storage-class",
                "storageclasses.storage.k8s.io",
                List.of(
                        "storageclass.kubernetes.io/is-default-class",
                        "storageclass.beta.kubernetes.io/is-default-class"));
    }

    private static final String ADMIN_ACCESS = "/metadata/labels/resource.kubernetes.io~1admin-access";
    private static final String PODS = "pods";

    private AdmissionPlugins() {}

    /** Rejects an object whose prerequisites are missing. */
    public static void validate(Target target, ObjectNode object, Snapshot snapshot) throws StatusException {
        switch (target.type().storage()) {
            case PODS -> requireAccount(target, object, snapshot);
            case PriorityClasses.CLASSES -> PriorityClasses.requireSingleDefault(target, object, snapshot);
            case "resourceclaims.resource.k8s.io" ->
                requireAdminNamespace(target, object, object.path("spec"), snapshot);
            case "resourceclaimtemplates.resource.k8s.io" ->
                requireAdminNamespace(target, object, object.at("/spec/spec"), snapshot);
            default -> {}
        }
    }

    /** Sets fields of a new object that are derived from other objects. The server, not the client, sets them, so they have no owner. */
    public static void mutate(Target target, ObjectNode object, Snapshot snapshot, ObjectIdentity identity)
            throws StatusException {
        switch (target.type().storage()) {
            case PODS -> {
                ObjectNode spec = Json.child(object, "spec");
                Tolerations.complete(spec);
                PriorityClasses.resolve(target, spec, snapshot);
                account(target, spec, snapshot)
                        .ifPresent(
                                account -> mountAccount(object, spec, StoredForm.decode(account.value(), 0), identity));
            }
            case "nodes" -> Tolerations.taint(object);
            case "ingresses.networking.k8s.io" -> chooseClass(object, DefaultClass.INGRESS, snapshot);
            case "persistentvolumeclaims" -> chooseClass(object, DefaultClass.STORAGE, snapshot);
            case "persistentvolumes" -> Json.child(object, "status").put("lastPhaseTransitionTime", identity.now());
            default -> {}
        }
        @Nullable String protection = Finalizers.PROTECTION.get(target.type().storage());
        if (protection != null) {
            Set<String> finalizers =
                    new LinkedHashSet<>(Json.texts(object.path("metadata").path("finalizers")));
            finalizers.add(protection);
            Json.putTexts(Json.child(object, "metadata"), "finalizers", finalizers);
        }
    }

    /** Requires the namespace's label for a new claim of devices in use. The spec is immutable, so an update needs no check. */
    private static void requireAdminNamespace(Target target, ObjectNode object, JsonNode claim, Snapshot snapshot)
            throws StatusException {
        int first = firstAdminAccess(claim.path("devices").path("requests"), "/exactly/adminAccess");
        if (first >= 0) {
            requireAdminLabel(
                    target,
                    Json.text(object.path("metadata"), "name"),
                    snapshot.find(ResourceCatalog.NAMESPACES, "", target.namespace())
                            .map(namespace -> StoredForm.decode(namespace.value(), 0)),
                    "spec.devices.requests[" + first + "].adminAccess");
        }
    }

    /**
     * Returns the index of the first request or result with access to devices in use; -1 if there is none.
     *
     * @param field JSON pointer of the field in an item
     */
    public static int firstAdminAccess(JsonNode items, String field) {
        return IntStream.range(0, items.size())
                .filter(i -> items.path(i).at(field).asBoolean())
                .findFirst()
                .orElse(-1);
    }

    /**
     * Requires the namespace's label for access to devices in use.
     *
     * @throws StatusException 422 without it
     */
    public static void requireAdminLabel(Target target, String name, Optional<ObjectNode> namespace, String field)
            throws StatusException {
        boolean labelled = namespace
                .map(object -> object.at(ADMIN_ACCESS).asText().equals("true"))
                .orElse(false);
        if (!labelled) {
            ApiErrors.requireValid(
                    target.type(),
                    name,
                    causes -> causes.add(
                            "FieldValueForbidden",
                            "Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true`"
                                    + " label on the containing namespace",
                            field));
        }
    }

    private static void requireAccount(Target target, ObjectNode object, Snapshot snapshot) throws StatusException {
        JsonNode spec = object.path("spec");
        String account = accountName(spec);
        if (NameRule.SUBDOMAIN.problems(account).isEmpty()
                && account(target, spec, snapshot).isPresent()) {
            return;
        }
        throw ApiErrors.forbidden(
                target,
                "error looking up service account " + target.namespace() + "/" + account + ": serviceaccount "
                        + FieldErrorMessages.quoted(account) + " not found");
    }

    private static Optional<Entry> account(Target target, JsonNode spec, Snapshot snapshot) {
        return snapshot.find("serviceaccounts", target.namespace(), accountName(spec));
    }

    private static String accountName(JsonNode spec) {
        String account = Json.text(spec, "serviceAccountName");
        account = account.isEmpty() ? Json.text(spec, "serviceAccount") : account;
        return account.isEmpty() ? NamespaceController.ACCOUNT : account;
    }

    /** Sets the class of an object without one: the newest class that an annotation marks as default. */
    static void chooseClass(ObjectNode object, DefaultClass choice, Snapshot snapshot) {
        ObjectNode spec = Json.child(object, "spec");
        if (spec.has(choice.field())
                || object.path("metadata").path("annotations").has(choice.instead())) {
            return;
        }
        snapshot.page(KeyRange.of(choice.classes()), "", 0).entries().stream()
                .map(entry -> StoredForm.decode(entry.value(), 0).path("metadata"))
                .filter(metadata -> choice.marks().stream()
                        .anyMatch(mark ->
                                Json.text(metadata.path("annotations"), mark).equals("true")))
                .max(NEWEST)
                .ifPresent(metadata -> spec.put(choice.field(), Json.text(metadata, "name")));
    }

    /** Adds the volume and its mounts, and the account's pull secrets to a pod without any. */
    public static void mountAccount(ObjectNode pod, ObjectNode spec, JsonNode account, ObjectIdentity identity) {
        if (pod.path("metadata").path("annotations").has("kubernetes.io/config.mirror")) {
            return;
        }
        if (spec.path("imagePullSecrets").isEmpty()
                && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets").deepCopy());
        }
        JsonNode explicit = spec.path("automountServiceAccountToken");
        boolean mounts =
                (explicit.isBoolean() ? explicit : account.path("automountServiceAccountToken")).asBoolean(true);
        List<ObjectNode> containers = mounts ? containersWithoutMount(spec) : List.of();
        if (containers.isEmpty()) {
            return;
        }
        String name = existingVolume(spec.path("volumes"));
        if (name.isEmpty()) {
            name = identity.name(NAME);
            spec.withArray("volumes").add(Json.parse(VOLUME.formatted(name)));
        }
        for (ObjectNode container : containers) {
            container
                    .withArray("volumeMounts")
                    .addObject()
                    .put("name", name)
                    .put("readOnly", true)
                    .put("mountPath", MOUNT_PATH);
        }
    }

    /** Returns the containers without a mount at the path. */
    private static List<ObjectNode> containersWithoutMount(ObjectNode spec) {
        var containers = new ArrayList<ObjectNode>();
        for (String list : PodRules.CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                boolean mounted = container
                        .path("volumeMounts")
                        .valueStream()
                        .anyMatch(mount -> Json.text(mount, "mountPath").equals(MOUNT_PATH));
                if (!mounted) {
                    containers.add((ObjectNode) container);
                }
            }
        }
        return containers;
    }

    private static String existingVolume(JsonNode volumes) {
        return volumes.valueStream()
                .map(volume -> Json.text(volume, "name"))
                .filter(name -> name.startsWith(NAME))
                .findFirst()
                .orElse("");
    }
}
