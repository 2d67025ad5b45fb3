package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.StorageIdentity;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Key prefixes and names of the built-in types. Their groups are reserved, under each alias: no custom type is stored or served in them,
 * so that no later version of the server finds foreign objects under its own keys.
 */
public final class StorageRegistry {
    private static final byte[] OPENING = StoredForm.OPENING.getBytes(StandardCharsets.US_ASCII);
    private final Map<String, StorageIdentity> identities = new HashMap<>();
    private final Map<String, Names> groups = new HashMap<>();

    /**
     * Names in use in a group.
     *
     * @param resources plurals, singulars and short names
     */
    public record Names(Set<String> resources, Set<String> kinds) {}

    public StorageRegistry(ResourceCatalog catalog) {
        for (ResourceType type : catalog.types()) {
            identities.put(type.storage(), type.identity());
            Names names = groups.computeIfAbsent(
                    ApiGroups.canonical(type.group()), any -> new Names(new HashSet<>(), new HashSet<>()));
            names.resources().add(type.resource());
            names.resources().add(type.singular());
            names.resources().addAll(type.shortNames());
            names.kinds().add(type.kind());
            names.kinds().add(type.kind() + "List");
        }
    }

    /** Returns the names that built-in types use in a group; empty if the group may have custom types. */
    public Optional<Names> builtIn(String group) {
        return Optional.ofNullable(groups.get(ApiGroups.canonical(group)));
    }

    /** Returns the identity of a custom type; in a group of built-in types, that of types without storage. */
    public StorageIdentity custom(String plural, String group) {
        String resource = plural + "." + group;
        return builtIn(group).isPresent() || identities.containsKey(resource) || group.isEmpty()
                ? StorageIdentity.NONE
                : new StorageIdentity(resource, Set.of(), "");
    }

    /** Returns whether an entry is a definition whose names or group belong to built-in types. */
    public boolean definesBuiltIn(Entry entry) {
        return entry.key().resource().equals(ResourceCatalog.DEFINITIONS)
                && builtIn(group(entry.key().name())).isPresent();
    }

    /**
     * Returns a predicate of unserved objects: under the prefix of a built-in type in an unknown version or kind; under an unknown prefix
     * in a group of built-in types; or, for any type, objects that cannot be decoded, or whose name or namespace is not that of the key.
     */
    public Predicate<Entry> foreign() {
        return entry -> {
            String resource = entry.key().resource();
            StorageIdentity type = identities.get(resource);
            if (type == null && resource.indexOf('.') < 0) {
                // Internal data of the server.
                return false;
            }
            return (type == null && builtIn(group(resource)).isPresent()) || !served(type, entry);
        };
    }

    private static String group(String groupResource) {
        return groupResource.substring(groupResource.indexOf('.') + 1);
    }

    /** Returns whether an entry is an object of a built-in type, or of any custom type if the type is null. */
    private static boolean served(@Nullable StorageIdentity type, Entry entry) {
        byte[] stored = entry.value();
        int length = OPENING.length;
        if (stored.length <= length || !Arrays.equals(OPENING, 0, length, stored, 0, length)) {
            return false;
        }
        // Accepts what StoredForm.decode accepts.
        try (JsonParser json = Json.STORED.createParser(stored)) {
            boolean served = true;
            boolean first = true;
            json.nextToken();
            while (served && json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                served = switch (field) {
                    case "metadata" -> first && metadata(type, entry.key(), json);
                    case "apiVersion" -> type == null || type.stores(json.getText(), "");
                    case "kind" -> type == null || type.stores("", json.getText());
                    default -> {
                        skip(json);
                        yield true;
                    }
                };
                first = false;
            }
            return served && json.nextToken() == null;
        } catch (IOException | NumberFormatException notJson) {
            return false;
        }
    }

    private static boolean metadata(@Nullable StorageIdentity type, Key key, JsonParser json) throws IOException {
        boolean served = true;
        String name = "";
        String namespace = "";
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "name" -> name = json.getText();
                case "namespace" -> namespace = json.getText();
                case "generation" -> served &= type == null || !type.guarded();
                default -> {}
            }
            if (type != null && field.equals(Ownership.FIELD) && json.currentToken() == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    served &= owner(type, json);
                }
            } else {
                skip(json);
            }
        }
        return served && name.equals(key.name()) && namespace.equals(key.namespace());
    }

    private static boolean owner(StorageIdentity type, JsonParser json) throws IOException {
        boolean served = true;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean version = json.currentName().equals("apiVersion");
            json.nextToken();
            served &= !version || type.mayBeWrittenIn(json.getText());
            skip(json);
        }
        return served;
    }

    /** Skips the current value, but reads its numbers, which a parser otherwise does not check. */
    private static void skip(JsonParser json) throws IOException {
        int depth = 0;
        JsonToken token = json.currentToken();
        while (true) {
            if (token.isNumeric()) {
                json.getDecimalValue();
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                return;
            }
            token = json.nextToken();
        }
    }
}
