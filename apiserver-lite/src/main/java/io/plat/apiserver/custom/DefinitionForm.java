package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.Conditions.Condition;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.type.TypeForm;
import io.plat.review.status.Status;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Form of CustomResourceDefinitions. */
public final class DefinitionForm implements TypeForm {
    /** Finalizer that holds a definition until its objects are deleted. */
    static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private static final String STATUS = "status";

    private static final Status.Cause OUT_OF_MEMORY = new Status.Cause(
            "FieldValueForbidden",
            FieldErrorMessages.forbidden("the definitions of this server would take more than "
                    + (DefinitionMemory.MAX_BYTES >> 20) + " MiB of memory, a quarter of its heap"),
            "spec");

    private final StorageRegistry registry;
    private final DefinitionMemory memory = new DefinitionMemory(DefinitionMemory.MAX_BYTES);
    private final Set<Long> rejected = ConcurrentHashMap.newKeySet();

    public DefinitionForm(StorageRegistry registry) {
        this.registry = registry;
    }

    StorageRegistry registry() {
        return registry;
    }

    DefinitionMemory memory() {
        return memory;
    }

    /**
     * Records a definition that was established before its group was known to be that of built-in types. It is shown as rejected; the
     * stored state does not change.
     */
    void reject(long revision) {
        rejected.add(revision);
    }

    @Override
    public boolean storedAsServed(long revision) {
        return rejected.isEmpty() || !rejected.contains(revision);
    }

    @Override
    public ObjectNode serve(ObjectNode stored) {
        registry.builtIn(stored.path("spec").path("group").asText())
                .filter(any -> new Conditions(stored).isTrue(Conditions.ESTABLISHED))
                .ifPresent(names -> NameDecision.reject(
                        stored,
                        names,
                        stored.path("metadata").path("creationTimestamp").asText()));
        return stored;
    }

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before, String part) {
        if (part.equals(STATUS)) {
            if (before != null) {
                JsonNode spec = before.path("spec");
                object.set("spec", spec.deepCopy());
            }
            return;
        }
        applyDefaults(object);
        if (before == null) {
            object.remove(STATUS);
            object.putObject(STATUS)
                    .putNull("conditions")
                    .putObject("acceptedNames")
                    .put("kind", "")
                    .put("plural", "");
        } else {
            object.set(STATUS, before.path(STATUS).deepCopy());
        }
        addStoredVersion(object);
    }

    @Override
    public void complete(ObjectNode sent, ObjectNode before) {
        ObjectNode status = sent.withObject("/" + STATUS);
        ObjectNode names = status.withObject("/acceptedNames");
        List.of("plural", "kind")
                .forEach(name -> names.put(name, names.path(name).asText("")));
        if (!status.has("conditions")) {
            status.putNull("conditions");
        }
        if (status.path("storedVersions").isEmpty()) {
            sent.set("spec", before.path("spec").deepCopy());
            addStoredVersion(sent);
        }
    }

    /** Fills in the fields that clients may omit. */
    private static void applyDefaults(ObjectNode object) {
        if (!(object.path("spec") instanceof ObjectNode spec)) {
            return;
        }
        if (spec.path("names") instanceof ObjectNode names) {
            String kind = names.path("kind").asText("");
            if (names.path("singular").asText("").isEmpty() && !kind.isEmpty()) {
                names.put("singular", kind.toLowerCase(Locale.ROOT));
            }
            if (names.path("listKind").asText("").isEmpty() && !kind.isEmpty()) {
                names.put("listKind", kind + "List");
            }
        }
        for (JsonNode version : spec.path("versions")) {
            for (String flag : List.of("served", "storage")) {
                ((ObjectNode) version).put(flag, version.path(flag).asBoolean());
            }
        }
        if (!spec.hasNonNull("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
    }

    /** Records every version that is or was the storage version, as there may be objects in it. */
    private static void addStoredVersion(ObjectNode object) {
        ArrayNode stored = object.withObject("/" + STATUS).withArray("storedVersions");
        CustomResourceDefinition.storageVersion(object.path("spec"))
                .filter(name ->
                        stored.valueStream().noneMatch(each -> each.asText().equals(name)))
                .ifPresent(stored::add);
    }

    @Override
    public List<Status.Cause> check(ObjectNode object, @Nullable ObjectNode before, String part) {
        if (!part.isEmpty()) {
            return List.of();
        }
        return memory.fits(object) ? DefinitionCheck.check(object, before) : List.of(OUT_OF_MEMORY);
    }

    @Override
    public boolean beginDeletion(ObjectNode object, String now) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        if (metadata.hasNonNull("deletionTimestamp")) {
            return false;
        }
        metadata.withArray("finalizers").add(FINALIZER);
        new Conditions(object)
                .set(
                        new Condition(
                                Conditions.TERMINATING,
                                true,
                                "InstanceDeletionPending",
                                "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"),
                        now);
        return true;
    }
}
