package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.engine.lookup.Interner;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stored role objects: conversion to the authorizer's model, and comparison of their content. */
public final class RoleConversion {
    /** Metadata that the garbage collector and finalizing clients change, with the owners of its fields. */
    private static final List<String> LIFECYCLE = List.of("finalizers", "ownerReferences", "managedFields");

    private RoleConversion() {}

    public static RbacObject model(RbacKind kind, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        var key = new ObjectKey(kind, Json.text(metadata, "namespace"), Json.text(metadata, "name"));
        return kind.isRole()
                ? new RbacRole(
                        key,
                        Json.textsByName(metadata.path("labels")),
                        rules(object.path("rules")),
                        aggregation(object.path("aggregationRule")),
                        null)
                : new RbacBinding(key, subjects(object.path("subjects")), roleRef(object.path("roleRef")), null);
    }

    /** Reads the rules of a stored role: an array, or absent. */
    public static List<RbacRule> rules(JsonNode rules) {
        var interned = new Interner();
        var list = new ArrayList<RbacRule>();
        for (JsonNode rule : rules) {
            list.add(new RbacRule(
                    interned.list(Json.texts(rule.path("verbs"))),
                    interned.list(Json.texts(rule.path("apiGroups"))),
                    interned.list(Json.texts(rule.path("resources"))),
                    interned.list(Json.texts(rule.path("resourceNames"))),
                    interned.list(Json.texts(rule.path("nonResourceURLs"))),
                    null));
        }
        return list;
    }

    public static ObjectNode json(RbacRule rule) {
        ObjectNode json = Json.object();
        Json.putTexts(json, "verbs", rule.verbs());
        Json.putTexts(json, "apiGroups", rule.apiGroups());
        Json.putTexts(json, "resources", rule.resources());
        Json.putTexts(json, "resourceNames", rule.resourceNames());
        Json.putTexts(json, "nonResourceURLs", rule.nonResourceUrls());
        return json;
    }

    private static @Nullable List<ClusterRoleSelector> aggregation(JsonNode rule) {
        if (rule.isMissingNode()) {
            return null;
        }
        var selectors = new ArrayList<ClusterRoleSelector>();
        for (JsonNode selector : rule.path("clusterRoleSelectors")) {
            var requirements = new ArrayList<ClusterRoleSelector.Requirement>();
            for (JsonNode expression : selector.path("matchExpressions")) {
                requirements.add(new ClusterRoleSelector.Requirement(
                        Json.text(expression, "key"),
                        Json.text(expression, "operator"),
                        Json.texts(expression.path("values"))));
            }
            selectors.add(new ClusterRoleSelector(Json.textsByName(selector.path("matchLabels")), requirements));
        }
        return selectors;
    }

    private static List<RbacSubject> subjects(JsonNode subjects) {
        var interned = new Interner();
        var list = new ArrayList<RbacSubject>();
        for (JsonNode subject : subjects) {
            list.add(new RbacSubject(
                    interned.string(Json.text(subject, "kind")),
                    interned.string(Json.text(subject, "apiGroup")),
                    interned.string(Json.text(subject, "namespace")),
                    Json.text(subject, "name")));
        }
        return list;
    }

    private static RoleRef roleRef(JsonNode roleRef) {
        return new RoleRef(
                Json.text(roleRef, "apiGroup"),
                Json.text(roleRef, "kind"),
                Json.text(roleRef, "namespace"),
                Json.text(roleRef, "name"));
    }

    /** Returns whether a write changes more than what the garbage collector and finalizing clients change. */
    public static boolean changesContent(ObjectNode object, @Nullable ObjectNode before) {
        return before == null || !withoutLifecycle(object).equals(withoutLifecycle(before));
    }

    private static ObjectNode withoutLifecycle(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        Json.child(copy, "metadata").remove(LIFECYCLE);
        return copy;
    }
}
