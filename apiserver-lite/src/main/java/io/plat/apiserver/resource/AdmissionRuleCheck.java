package io.plat.apiserver.resource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the requests that admission webhooks and policies are about, with the messages of kube-apiserver. */
final class AdmissionRuleCheck {
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final int MOST_CONDITIONS = 64;

    private AdmissionRuleCheck() {}

    static void check(Field rules) {
        rules.forEach(AdmissionRuleCheck::rule);
    }

    /** Checks the expressions that have to hold too. */
    static void checkConditions(Field conditions) {
        conditions.atMost(MOST_CONDITIONS);
        Set<String> names = new HashSet<>();
        for (Field condition : conditions) {
            requireText(condition.at("expression"), "");
            if (condition.at("name").require("")) {
                condition.at("name").qualifiedName();
                condition.at("name").unique(names);
            }
        }
    }

    /** Checks that a text does not consist of spaces alone. */
    static void requireText(Field field, String why) {
        if (field.text().isBlank()) {
            field.required(why);
        }
    }

    private static void rule(Field rule) {
        Field operations = rule.at("operations");
        any(operations, "operations");
        for (Field operation : operations) {
            if (!OPERATIONS.contains(operation.text())) {
                operation.notSupported(OPERATIONS);
            }
        }
        any(rule.at("apiGroups"), "API groups");
        any(rule.at("apiVersions"), "API versions");
        rule.at("apiVersions").forEach(version -> version.require(""));
        resources(rule.at("resources"));
        Set<String> seen = new HashSet<>();
        for (Field name : rule.at("resourceNames")) {
            name.name(NameRule.PATH_SEGMENT);
            name.unique(seen);
        }
    }

    /** Checks that {@code *} stands alone. */
    private static void any(Field list, String what) {
        if (list.require("") && list.value().size() > 1 && list.texts().contains("*")) {
            list.invalidValue("if '*' is present, must not specify other " + what);
        }
    }

    private static void resources(Field list) {
        list.require("");
        list.forEach(resource -> resource.require(""));
        Set<String> allParts = new HashSet<>();
        Set<String> ofAll = new HashSet<>();
        for (Field field : list) {
            String name = field.text();
            int slash = name.indexOf('/');
            if (slash < 0) {
                continue;
            }
            String resource = name.substring(0, slash);
            String part = name.substring(slash + 1);
            if (allParts.contains(resource)) {
                covered(field, resource + "/*");
            }
            if (ofAll.contains(part)) {
                covered(field, "*/" + part);
            }
            if (part.equals("*")) {
                allParts.add(resource);
            }
            if (resource.equals("*")) {
                ofAll.add(part);
            }
        }
        List<String> names = list.texts();
        if (names.size() > 1 && names.contains("*/*")) {
            list.invalidValue("if '*/*' is present, must not specify other resources");
        }
        if (names.contains("*") && names.stream().anyMatch(name -> !name.equals("*") && name.indexOf('/') < 0)) {
            list.invalidValue("if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void covered(Field resource, String by) {
        resource.invalid("if '" + by + "' is present, must not specify " + resource.text());
    }
}
