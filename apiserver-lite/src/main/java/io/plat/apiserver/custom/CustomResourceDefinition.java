package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.StorageIdentity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Stored CustomResourceDefinition. Immutable; its schemas are compiled on first use. */
final class CustomResourceDefinition {
    private final Entry entry;
    private final ObjectNode object;
    private final long since;
    private final StorageIdentity identity;
    private final String storageVersion;
    private final Map<String, CustomType> types = new LinkedHashMap<>();
    private final Conditions conditions;

    private CustomResourceDefinition(
            Entry entry, ObjectNode object, long since, StorageRegistry registry, Map<String, CustomType> before) {
        this.entry = entry;
        this.object = object;
        this.since = since;
        this.conditions = new Conditions(object);
        this.identity = registry.custom(spec().path("names").path("plural").asText(), group());
        this.storageVersion = storageVersion(spec()).orElse("");
        for (JsonNode version : spec().path("versions")) {
            String name = version.path("name").asText();
            types.put(name, new CustomType(this, version, before.get(name)));
        }
    }

    static Optional<String> storageVersion(JsonNode spec) {
        return spec.path("versions")
                .valueStream()
                .filter(version -> version.path("storage").asBoolean())
                .map(version -> version.path("name").asText())
                .findFirst();
    }

    static CustomResourceDefinition read(Entry entry, StorageRegistry registry) {
        return new CustomResourceDefinition(
                entry, StoredForm.decode(entry.value(), 0), entry.revision(), registry, Map.of());
    }

    /** Returns the next state of this definition; objects keep their stored form unless the schemas changed. */
    CustomResourceDefinition next(Entry later, StorageRegistry registry) {
        ObjectNode tree = StoredForm.decode(later.value(), 0);
        boolean same = tree.path("spec").path("versions").equals(spec().path("versions"));
        return same
                ? new CustomResourceDefinition(later, tree, since, registry, types)
                : new CustomResourceDefinition(later, tree, later.revision(), registry, Map.of());
    }

    Entry entry() {
        return entry;
    }

    /** Returns the definition as it was stored, as a separate tree. */
    ObjectNode tree() {
        return object.deepCopy();
    }

    JsonNode spec() {
        return object.path("spec");
    }

    JsonNode status() {
        return object.path("status");
    }

    /** Returns {@code plural.group}. */
    String name() {
        return entry.key().name();
    }

    String group() {
        return spec().path("group").asText();
    }

    String uid() {
        return object.path("metadata").path("uid").asText();
    }

    boolean namespaced() {
        return spec().path("scope").asText().equals("Namespaced");
    }

    Conditions conditions() {
        return conditions;
    }

    boolean deleted() {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    StorageIdentity identity() {
        return identity;
    }

    /** Returns whether its group belongs to built-in types: such a definition has no objects and is never served. */
    boolean collides() {
        return identity.equals(StorageIdentity.NONE);
    }

    /** Returns whether requests for its objects are served: its names are accepted, or were. */
    boolean serves() {
        return !collides() && conditions.isTrue(Conditions.ESTABLISHED);
    }

    /** Returns the revision since which objects have been stored by the current schemas. */
    long since() {
        return since;
    }

    /** Returns the storage version; {@code ""} if there is none. */
    String storageVersion() {
        return storageVersion;
    }

    /** Returns the type of a version, if it is served. */
    Optional<ResourceType> type(String version) {
        return Optional.ofNullable(types.get(version)).filter(this::isServed).map(CustomType::resourceType);
    }

    ResourceType stored() {
        return storedForm().resourceType();
    }

    CustomType storedForm() {
        return Objects.requireNonNull(types.get(storageVersion));
    }

    /** Returns the form of a version; that of the storage version if the version no longer exists. */
    CustomType form(String version) {
        CustomType form = types.get(version);
        return form == null ? storedForm() : form;
    }

    /** Returns whether its name matches its spec and it has a storage version, as serving requires. */
    boolean usable() {
        String defined = spec().path("names").path("plural").asText() + "." + group();
        return name().equals(defined) && types.containsKey(storageVersion);
    }

    List<ResourceType> served() {
        return types.values().stream()
                .filter(this::isServed)
                .map(CustomType::resourceType)
                .toList();
    }

    /** Returns whether a version is served; those that need a conversion webhook are not. */
    private boolean isServed(CustomType type) {
        boolean converts =
                spec().path("conversion").path("strategy").asText("None").equals("Webhook");
        return type.served() && (!converts || type.version().equals(storageVersion));
    }
}
