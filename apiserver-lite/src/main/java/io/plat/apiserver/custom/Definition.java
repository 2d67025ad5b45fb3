package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.StorageIdentity;
import io.plat.apiserver.resource.StorageRegistry;
import io.plat.apiserver.storage.Entry;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A definition of a type, as it was stored. Immutable; what its schemas say is compiled when it is first asked for. */
final class Definition {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactories.create())
            .enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Entry entry;
    private final ObjectNode object;
    private final long since;
    private final StorageIdentity identity;
    private final Map<String, ResourceType> types = new LinkedHashMap<>();
    private final Conditions conditions;

    private Definition(Entry entry, ObjectNode object, long since, StorageRegistry registry) {
        this.entry = entry;
        this.object = object;
        this.since = since;
        this.conditions = new Conditions(object);
        this.identity = registry.custom(spec().path("names").path("plural").asText(), group());
        for (JsonNode version : spec().path("versions")) {
            CustomType type = new CustomType(this, version);
            types.put(version.path("name").asText(), type.resourceType());
        }
    }

    /** Reads a definition. */
    static Definition read(Entry entry, StorageRegistry registry) {
        return new Definition(entry, tree(entry), entry.revision(), registry);
    }

    /** The next state of this definition; what was stored before still looks as it is stored, unless the schemas changed. */
    Definition next(Entry later, StorageRegistry registry) {
        ObjectNode tree = tree(later);
        boolean same = tree.path("spec").path("versions").equals(spec().path("versions"));
        return new Definition(later, tree, same ? since : later.revision(), registry);
    }

    private static ObjectNode tree(Entry entry) {
        try {
            return (ObjectNode) MAPPER.readTree(entry.value());
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /** What is stored. */
    Entry entry() {
        return entry;
    }

    /** The definition as it was stored, as a tree of its own. */
    ObjectNode tree() {
        return object.deepCopy();
    }

    JsonNode spec() {
        return object.path("spec");
    }

    JsonNode status() {
        return object.path("status");
    }

    /** {@code plural.group}. */
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

    /** Whether it is to go, and its objects with it. */
    boolean deleted() {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Where its objects are stored. */
    StorageIdentity identity() {
        return identity;
    }

    /** Whether its group belongs to built-in types, so that it defines nothing, has no objects and is never served. */
    boolean collides() {
        return identity.equals(StorageIdentity.NONE);
    }

    /** Whether requests for its objects are answered: names are accepted, or were. */
    boolean serves() {
        return !collides() && conditions.isTrue(Conditions.ESTABLISHED);
    }

    /** The revision since which objects have been stored as the schemas have them. */
    long since() {
        return since;
    }

    /** The version in which objects are stored. */
    String storageVersion() {
        for (JsonNode version : spec().path("versions")) {
            if (version.path("storage").asBoolean()) {
                return version.path("name").asText();
            }
        }
        return "";
    }

    /** The type of a version, if that is served. */
    Optional<ResourceType> type(String version) {
        return Optional.ofNullable(types.get(version)).filter(type -> served(version));
    }

    /** The type by which objects are stored. */
    ResourceType stored() {
        return Objects.requireNonNull(types.get(storageVersion()));
    }

    /** The form of the type by which objects are stored. */
    CustomType storedForm() {
        return (CustomType) Objects.requireNonNull(stored().form());
    }

    /** The form of a version; for one that is not there any more, that by which objects are stored. */
    CustomType form(String version) {
        ResourceType type = types.get(version);
        return type == null ? storedForm() : (CustomType) Objects.requireNonNull(type.form());
    }

    /** Whether it is called what it defines and has a version to store objects in, without which nothing can be served. */
    boolean usable() {
        String defined = spec().path("names").path("plural").asText() + "." + group();
        return name().equals(defined) && types.containsKey(storageVersion());
    }

    /** The versions that are served. One that somebody else would have to convert is not. */
    List<String> versions() {
        var served = new ArrayList<String>();
        types.keySet().stream().filter(this::served).forEach(served::add);
        return served;
    }

    private boolean served(String version) {
        boolean converts =
                spec().path("conversion").path("strategy").asText("None").equals("Webhook");
        if (converts && !version.equals(storageVersion())) {
            return false;
        }
        for (JsonNode each : spec().path("versions")) {
            if (each.path("name").asText().equals(version)) {
                return each.path("served").asBoolean();
            }
        }
        return false;
    }
}
