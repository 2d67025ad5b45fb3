package io.plat.tests.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The requests of a load run: about config maps of 1 KiB, of which a number is kept and any number is made. */
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

    /** Reads any of those that are kept. */
    Request get() {
        return Request.of("GET " + PATH + "/c-" + Request.NUMBER, "", "", ConfigMapRequests::any);
    }

    /** Creates one that was never there. */
    Request create(String namespace) {
        return Request.of(
                "POST /api/v1/namespaces/" + namespace + "/configmaps",
                "application/json",
                configMap(Request.NUMBER),
                this::next);
    }

    /** Replaces any of those that are kept. */
    Request update() {
        return Request.of(
                "PUT " + PATH + "/c-" + Request.NUMBER,
                "application/json",
                configMap(Request.NUMBER),
                ConfigMapRequests::any);
    }

    /** Changes any of those that are kept. */
    Request patch() {
        return Request.of(
                "PATCH " + PATH + "/c-" + Request.NUMBER,
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/data/number\",\"value\":\"" + Request.SERIAL + "\"}]",
                ConfigMapRequests::any);
    }

    /** Another state of one that is kept. */
    String state(String number) {
        return configMap(number).replace(Request.SERIAL, Long.toString(next()));
    }

    /** A config map of about 1 KiB as it is stored. */
    private static String configMap(String number) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c-" + number
                + "\"},\"data\":{\"filler\":\"" + FILLER + "\",\"number\":\"" + Request.SERIAL + "\"}}";
    }
}
