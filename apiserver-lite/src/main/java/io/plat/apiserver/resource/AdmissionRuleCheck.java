package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the requests that webhooks and policies of admission are about: in the words of existing servers. */
final class AdmissionRuleCheck {
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final int MOST_CONDITIONS = 64;

    private final Causes causes;

    private AdmissionRuleCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks rules that stand at a path. */
    static void check(String path, JsonNode rules, Causes causes) {
        AdmissionRuleCheck check = new AdmissionRuleCheck(causes);
        for (int i = 0; i < rules.size(); i++) {
            check.rule(path + "[" + i + "]", rules.path(i));
        }
    }

    /** Checks the expressions that have to hold too. */
    static void checkConditions(String path, JsonNode conditions, Causes causes) {
        causes.atMost(path, conditions.size(), MOST_CONDITIONS);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            String field = path + "[" + i + "]";
            String name = Json.text(conditions.path(i), "name");
            if (Json.text(conditions.path(i), "expression").isBlank()) {
                causes.required(field + ".expression", "");
            }
            if (name.isEmpty()) {
                causes.required(field + ".name", "");
            } else {
                causes.qualifiedName(field + ".name", name);
                if (!names.add(name)) {
                    causes.duplicate(field + ".name", name);
                }
            }
        }
    }

    private void rule(String field, JsonNode rule) {
        JsonNode operations = rule.path("operations");
        any(field + ".operations", operations, "operations");
        for (int i = 0; i < operations.size(); i++) {
            if (!OPERATIONS.contains(operations.path(i).asText())) {
                causes.notSupported(
                        field + ".operations[" + i + "]", operations.path(i).asText(), OPERATIONS);
            }
        }
        any(field + ".apiGroups", rule.path("apiGroups"), "API groups");
        any(field + ".apiVersions", rule.path("apiVersions"), "API versions");
        said(field + ".apiVersions", rule.path("apiVersions"));
        resources(field + ".resources", rule.path("resources"));
        names(field, rule.path("resourceNames"));
    }

    private void names(String field, JsonNode list) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String name = list.path(i).asText();
            causes.name(field + ".resourceNames[" + i + "]", name, NameRule.PATH_SEGMENT);
            if (!seen.add(name)) {
                causes.duplicate(field + ".resourceNames[" + i + "]", name);
            }
        }
    }

    /** All of them stand alone. */
    private void any(String field, JsonNode list, String what) {
        if (list.isEmpty()) {
            causes.required(field, "");
        } else if (list.size() > 1 && MetadataRules.texts(list).contains("*")) {
            causes.invalidValue(field, list, "if '*' is present, must not specify other " + what);
        }
    }

    private void said(String field, JsonNode list) {
        for (int i = 0; i < list.size(); i++) {
            if (list.path(i).asText().isEmpty()) {
                causes.required(field + "[" + i + "]", "");
            }
        }
    }

    private void resources(String field, JsonNode list) {
        if (list.isEmpty()) {
            causes.required(field, "");
        }
        said(field, list);
        List<String> names = MetadataRules.texts(list);
        Set<String> allParts = new HashSet<>();
        Set<String> ofAll = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            int slash = name.indexOf('/');
            if (slash < 0) {
                continue;
            }
            String resource = name.substring(0, slash);
            String part = name.substring(slash + 1);
            if (allParts.contains(resource)) {
                covered(field + "[" + i + "]", name, resource + "/*");
            }
            if (ofAll.contains(part)) {
                covered(field + "[" + i + "]", name, "*/" + part);
            }
            if (part.equals("*")) {
                allParts.add(resource);
            }
            if (resource.equals("*")) {
                ofAll.add(part);
            }
        }
        if (names.size() > 1 && names.contains("*/*")) {
            causes.invalidValue(field, list, "if '*/*' is present, must not specify other resources");
        }
        if (names.contains("*") && names.stream().anyMatch(name -> !name.equals("*") && name.indexOf('/') < 0)) {
            causes.invalidValue(
                    field, list, "if '*' is present, must not specify other resources without subresources");
        }
    }

    private void covered(String field, String name, String by) {
        causes.invalid(field, name, "if '" + by + "' is present, must not specify " + name);
    }
}
