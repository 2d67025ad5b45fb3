package io.plat.apiserver.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.resource.ResourceType;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The OpenAPI v3 documents: the index and one for every group version. Made when first asked for; safe for any number of threads. */
public final class OpenApiDocuments {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String INDEX = "/openapi/v3";

    private final ServedTypes types;
    private final String productVersion;
    private final Map<String, byte[]> documents = new ConcurrentHashMap<>();

    /** The documents about these types. */
    public OpenApiDocuments(ServedTypes types, String productVersion) {
        this.types = types;
        this.productVersion = productVersion;
    }

    /** The document of a path, {@code /openapi/v3} or below. */
    public Optional<byte[]> find(String path) {
        if (path.equals(INDEX)) {
            byte[] known = documents.get(path);
            if (known == null) {
                known = bytes(index());
                documents.put(path, known);
            }
            return Optional.of(known);
        }
        return path.startsWith(INDEX + "/") ? groupVersion(path.substring(INDEX.length() + 1)) : Optional.empty();
    }

    /** Each group version with its address; the hash in it changes with the document, so that clients may keep it. */
    private ObjectNode index() {
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        for (String version : types.versions("")) {
            entry(paths, "api/" + version);
        }
        for (String group : types.groups()) {
            for (String version : types.versions(group)) {
                entry(paths, "apis/" + group + "/" + version);
            }
        }
        return index;
    }

    private void entry(ObjectNode paths, String prefix) {
        byte[] document = groupVersion(prefix).orElseThrow();
        paths.putObject(prefix).put("serverRelativeURL", INDEX + "/" + prefix + "?hash=" + hash(document));
    }

    private Optional<byte[]> groupVersion(String prefix) {
        byte[] known = documents.get(prefix);
        if (known != null) {
            return Optional.of(known);
        }
        String[] parts = prefix.split("/", -1);
        List<ResourceType> served = switch (parts.length) {
            case 2 -> parts[0].equals("api") ? types.types("", parts[1]) : List.of();
            case 3 -> parts[0].equals("apis") && !parts[1].isEmpty() ? types.types(parts[1], parts[2]) : List.of();
            default -> List.of();
        };
        if (served.isEmpty()) {
            return Optional.empty();
        }
        byte[] document = bytes(document("/" + prefix, served));
        documents.put(prefix, document);
        return Optional.of(document);
    }

    private ObjectNode document(String prefix, List<ResourceType> served) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "apiserver-lite").put("version", productVersion);
        Schemas schemas = Schemas.builtIn();
        ObjectNode paths = document.putObject("paths");
        Map<String, ResourceType> roots = new LinkedHashMap<>();
        for (ResourceType type : served) {
            schemas.nameOf(type).ifPresent(name -> {
                roots.put(name, type);
                new TypePaths(prefix, type, name).addTo(paths);
            });
        }
        document.putObject("components").set("schemas", schemas.closure(roots));
        return document;
    }

    private static byte[] bytes(ObjectNode document) {
        try {
            return MAPPER.writeValueAsBytes(document);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }

    private static String hash(byte[] document) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(document))
                    .toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
