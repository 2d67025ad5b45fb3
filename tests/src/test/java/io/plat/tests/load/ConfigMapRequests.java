package io.plat.tests.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Requests of a load run for config maps of 1 KiB: a number of permanent ones, and new ones. */
final class ConfigMapRequests {
    /** Number of permanent objects. */
    static final int OBJECTS = 10_000;

    /** Path of the permanent objects. */
    static final String PATH = "/api/v1/namespaces/kept/configmaps";

    private static final String FILLER = "x".repeat(900);

    private final AtomicLong fresh = new AtomicLong();

    private long next() {
        return fresh.getAndIncrement();
    }

    private static long any() {
        return ThreadLocalRandom.current().nextLong(OBJECTS);
    }

    /** Reads one of the permanent objects. */
    Request get() {
        return Request.of("GET " + PATH + "/c-" + Request.NUMBER, "", "", ConfigMapRequests::any);
    }

    /** Creates a new object. */
    Request create(String namespace) {
        return Request.of(
                "POST /api/v1/namespaces/" + namespace + "/configmaps",
                "application/json",
                configMap(Request.NUMBER),
                this::next);
    }

    /** Replaces one of the permanent objects. */
    Request update() {
        return Request.of(
                "PUT " + PATH + "/c-" + Request.NUMBER,
                "application/json",
                configMap(Request.NUMBER),
                ConfigMapRequests::any);
    }

    /** Patches one of the permanent objects. */
    Request patch() {
        return Request.of(
                "PATCH " + PATH + "/c-" + Request.NUMBER,
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/data/number\",\"value\":\"" + Request.SERIAL + "\"}]",
                ConfigMapRequests::any);
    }

    /** Returns another state of a permanent object. */
    String state(String number) {
        return configMap(number).replace(Request.SERIAL, Long.toString(next()));
    }

    /** Returns a config map of about 1 KiB in storage. */
    private static String configMap(String number) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c-" + number
                + "\"},\"data\":{\"filler\":\"" + FILLER + "\",\"number\":\"" + Request.SERIAL + "\"}}";
    }
}
