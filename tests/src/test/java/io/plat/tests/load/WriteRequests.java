package io.plat.tests.load;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Writes of one type: the text of an object, and the position of a number that every write changes.
 *
 * @param collection path of the collection
 * @param object an object with {@link Request#NUMBER} in its name and {@link Request#SERIAL} in one field
 * @param change merge patch for that field
 */
record WriteRequests(String collection, String object, String change) {
    /** Number of objects that are changed. */
    static final int KEPT = 1_000;

    /** Namespaces of the changed objects, and of the created ones. */
    static final List<String> NAMESPACES = List.of("load", "fresh");

    private static final String NAMESPACED = "/namespaces/load/";
    private static final AtomicLong FRESH = new AtomicLong(KEPT);
    private static final String FILLER = "x".repeat(600);

    /** Returns requests with hardly any validation: a map of strings. */
    static WriteRequests configMaps() {
        return new WriteRequests(
                "/api/v1" + NAMESPACED + "configmaps",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"o-" + Request.NUMBER
                        + "\"},\"data\":{\"filler\":\"" + FILLER + "\",\"number\":\"" + Request.SERIAL + "\"}}",
                "{\"data\":{\"number\":\"" + Request.SERIAL + "\"}}");
    }

    /** Returns requests for a built-in type with much validation and defaulting. */
    static WriteRequests deployments() {
        String labels = "{\"app\":\"web\",\"tier\":\"front\"}";
        String resources =
                "\"resources\":{\"limits\":{\"cpu\":\"500m\",\"memory\":\"256Mi\"},\"requests\":{\"cpu\":\"100m\"}}";
        String container =
                "{\"name\":\"main\",\"image\":\"registry.example/web:1\",\"ports\":[{\"name\":\"http\",\"containerPort\":80}],"
                        + "\"env\":[{\"name\":\"STAGE\",\"value\":\"prod\"}]," + resources + "}";
        String sidecar =
                "{\"name\":\"log\",\"image\":\"registry.example/log:1\",\"args\":[\"--follow\"]," + resources + "}";
        return new WriteRequests(
                "/apis/apps/v1" + NAMESPACED + "deployments",
                "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"o-" + Request.NUMBER
                        + "\",\"annotations\":{\"number\":\"" + Request.SERIAL
                        + "\"}},\"spec\":{\"replicas\":2,\"selector\":"
                        + "{\"matchLabels\":" + labels + "},\"template\":{\"metadata\":{\"labels\":" + labels
                        + "},\"spec\":{\"containers\":[" + container + "," + sidecar + "]}}}}",
                "{\"metadata\":{\"annotations\":{\"number\":\"" + Request.SERIAL + "\"}}}");
    }

    /** Returns requests for a custom type. */
    static WriteRequests custom() {
        return new WriteRequests(
                "/apis/load.example.com/v1" + NAMESPACED + "bakeries",
                "{\"apiVersion\":\"load.example.com/v1\",\"kind\":\"Bakery\",\"metadata\":{\"name\":\"o-"
                        + Request.NUMBER
                        + "\"},\"spec\":{\"bread\":\"rye\",\"note\":\"" + FILLER + "\",\"number\":\"" + Request.SERIAL
                        + "\",\"shifts\":[{\"name\":\"night\",\"bakers\":2},{\"name\":\"day\",\"bakers\":3}]}}",
                "{\"spec\":{\"number\":\"" + Request.SERIAL + "\"}}");
    }

    /** Returns the definition of the type, with a schema and optionally a rule. */
    static String definition(String group, String plural, String kind, String rule) {
        String rules = rule.isEmpty() ? "" : ",\"x-kubernetes-validations\":[{\"rule\":\"" + rule + "\"}]";
        return """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%2$s.%1$s"},
                 "spec":{"group":"%1$s","scope":"Namespaced","names":{"plural":"%2$s","kind":"%3$s"},"versions":[{"name":"v1",
                 "served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
                 "spec":{"type":"object","required":["bread"],"properties":{"bread":{"type":"string","enum":["rye","wheat"]},
                 "note":{"type":"string","maxLength":2000},"number":{"type":"string","pattern":"^[0-9]+$"},
                 "ovens":{"type":"integer","default":1,"minimum":0},"shifts":{"type":"array","maxItems":9,
                 "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],
                 "properties":{"name":{"type":"string"},"bakers":{"type":"integer"}}}}}%4$s},
                 "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}""".formatted(group, plural, kind, rules);
    }

    private static long any() {
        return ThreadLocalRandom.current().nextLong(KEPT);
    }

    /** Creates a new object. */
    Request create() {
        return create(fresh(), FRESH::getAndIncrement);
    }

    /** Returns the namespace whose objects are deleted after they were counted. */
    String fresh() {
        return collection.replace(NAMESPACED, "/namespaces/fresh/");
    }

    /** Creates the permanent objects. */
    Request fill() {
        var next = new AtomicLong();
        return create(collection, next::getAndIncrement);
    }

    private Request create(String where, LongSupplier numbers) {
        return Request.of("POST " + where, "application/json", object, numbers);
    }

    /** Patches a permanent object by a kind of merge. */
    Request patch(String mediaType) {
        return Request.of("PATCH " + one(), mediaType, change, WriteRequests::any);
    }

    /** Applies one field to a permanent object. */
    Request applyField() {
        String config = "{\"apiVersion\":\"" + text("apiVersion") + "\",\"kind\":\"" + text("kind") + "\",";
        String named = change.startsWith("{\"metadata\":{")
                ? change.replace("{\"metadata\":{", "\"metadata\":{\"name\":\"o-" + Request.NUMBER + "\",")
                : "\"metadata\":{\"name\":\"o-" + Request.NUMBER + "\"}," + change.substring(1);
        return apply("field", config + named);
    }

    private String text(String field) {
        String start = "\"" + field + "\":\"";
        int from = object.indexOf(start) + start.length();
        return object.substring(from, object.indexOf('"', from));
    }

    /** Applies all fields of a permanent object. */
    Request applyWhole() {
        return apply("whole", object);
    }

    private Request apply(String manager, String config) {
        String line = "PATCH " + one() + "?force=true&fieldManager=" + manager;
        return Request.of(line, "application/apply-patch+yaml", config, WriteRequests::any);
    }

    private String one() {
        return collection + "/o-" + Request.NUMBER;
    }
}
