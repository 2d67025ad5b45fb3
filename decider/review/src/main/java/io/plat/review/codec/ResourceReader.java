package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the attributes of a resource request. */
final class ResourceReader {
    private static final String AT = "spec.resourceAttributes.";
    private static final int NAMESPACE = 1;
    private static final int VERB = 2;
    private static final int GROUP = 4;
    private static final int VERSION = 8;
    private static final int RESOURCE = 16;
    private static final int SUBRESOURCE = 32;
    private static final int NAME = 64;
    private static final int FIELD_SELECTOR = 128;
    private static final int LABEL_SELECTOR = 256;

    private static final int RAW = 1;
    private static final int REQUIREMENTS = 2;

    private static final int KEY = 1;
    private static final int OPERATOR = 2;
    private static final int VALUES = 4;

    private final Members members;
    private int seen;

    private String namespace = "";
    private String verb = "";
    private String group = "";
    private String version = "";
    private String resource = "";
    private String subresource = "";
    private String name = "";
    private @Nullable SelectorAttributes fieldSelector;
    private @Nullable SelectorAttributes labelSelector;

    private ResourceReader(Members members) {
        this.members = members;
    }

    static @Nullable ResourceAttributes read(Members members) throws IOException, StatusException {
        return members.object("spec.resourceAttributes") ? new ResourceReader(members).attributes() : null;
    }

    private ResourceAttributes attributes() throws IOException, StatusException {
        JsonParser json = members.json;
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            members.value();
            switch (member) {
                case "namespace" -> namespace = string(NAMESPACE, member);
                case "verb" -> verb = string(VERB, member);
                case "group" -> group = string(GROUP, member);
                case "version" -> version = string(VERSION, member);
                case "resource" -> resource = string(RESOURCE, member);
                case "subresource" -> subresource = string(SUBRESOURCE, member);
                case "name" -> name = string(NAME, member);
                case "fieldSelector" -> fieldSelector = selector(FIELD_SELECTOR, member);
                case "labelSelector" -> labelSelector = selector(LABEL_SELECTOR, member);
                default -> members.skip();
            }
        }
        return new ResourceAttributes(
                namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector);
    }

    private String string(int member, String memberName) throws IOException, StatusException {
        once(member, memberName);
        if (members.json.currentToken() == JsonToken.VALUE_STRING) {
            return members.string(AT);
        }
        // Only here is the path worth putting together.
        return members.string(AT + memberName);
    }

    private void once(int member, String memberName) throws StatusException {
        if ((seen & member) != 0) {
            throw Members.malformed(AT + memberName + ": given twice");
        }
        seen |= member;
    }

    private @Nullable SelectorAttributes selector(int member, String memberName) throws IOException, StatusException {
        once(member, memberName);
        String at = AT + memberName;
        if (!members.object(at)) {
            return null;
        }
        String raw = "";
        List<Requirement> requirements = List.of();
        int given = 0;
        JsonParser json = members.json;
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            members.value();
            switch (field) {
                case "rawSelector" -> {
                    given = Members.once(given, RAW, at + ".rawSelector");
                    raw = members.string(at + ".rawSelector");
                }
                case "requirements" -> {
                    given = Members.once(given, REQUIREMENTS, at + ".requirements");
                    requirements = requirements(at + ".requirements");
                }
                default -> members.skip();
            }
        }
        return new SelectorAttributes(raw, requirements);
    }

    private List<Requirement> requirements(String at) throws IOException, StatusException {
        if (!members.array(at)) {
            return List.of();
        }
        List<Requirement> requirements = new ArrayList<>();
        for (JsonToken token = members.json.nextToken();
                token != JsonToken.END_ARRAY;
                token = members.json.nextToken()) {
            requirements.add(requirement(at + "[" + requirements.size() + "]"));
        }
        return requirements;
    }

    private Requirement requirement(String at) throws IOException, StatusException {
        String key = "";
        String operator = "";
        List<String> values = List.of();
        if (!members.object(at)) {
            return new Requirement(key, operator, values);
        }
        int given = 0;
        JsonParser json = members.json;
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            members.value();
            switch (field) {
                case "key" -> {
                    given = Members.once(given, KEY, at + ".key");
                    key = members.string(at + ".key");
                }
                case "operator" -> {
                    given = Members.once(given, OPERATOR, at + ".operator");
                    operator = members.string(at + ".operator");
                }
                case "values" -> {
                    given = Members.once(given, VALUES, at + ".values");
                    values = members.strings(at + ".values");
                }
                default -> members.skip();
            }
        }
        return new Requirement(key, operator, values);
    }
}
