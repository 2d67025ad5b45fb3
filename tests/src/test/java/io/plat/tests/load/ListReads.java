package io.plat.tests.load;

import io.plat.tests.process.HttpsClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads of a long list, whole and in chunks.
 *
 * @param server measured server
 * @param admin client
 */
record ListReads(ApiServerTarget server, HttpsClient admin) {
    private static final int TIMES = 20;

    /** Prints the cost of both. */
    void print() throws IOException {
        print("list of 10,000, whole", this::whole, "kube-apiserver 130, target 40");
        print("the same in chunks of 500", this::chunks, "");
    }

    /** Reads a list; returns the number of requests. */
    @FunctionalInterface
    private interface Listing {
        int read() throws IOException;
    }

    private void print(String what, Listing listing, String reference) throws IOException {
        for (int i = 0; i < TIMES; i++) {
            listing.read();
        }
        double before = ProcessorTime.seconds(server.pids());
        long began = System.nanoTime();
        int requests = 0;
        for (int i = 0; i < TIMES; i++) {
            requests += listing.read();
        }
        double took = (System.nanoTime() - began) / 1e6 / TIMES;
        double used = (ProcessorTime.seconds(server.pids()) - before) * 1e3 / TIMES;
        System.out.printf(
                Locale.ROOT,
                "%-32s %.1f ms, %.1f ms of server CPU, %d requests  %s%n",
                what,
                took,
                used,
                requests / TIMES,
                reference);
    }

    /** Returns the current version. */
    String version() throws IOException {
        String body = new String(page("?limit=1").body(), StandardCharsets.ISO_8859_1);
        int at = body.indexOf("\"resourceVersion\":\"") + "\"resourceVersion\":\"".length();
        return body.substring(at, body.indexOf('"', at));
    }

    private HttpResponse<byte[]> page(String query) throws IOException {
        HttpResponse<byte[]> answer = admin.getBytes(server.server().at(ConfigMapRequests.PATH + query));
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer;
    }

    /** Reads the whole list this many times; returns the number. */
    int whole(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            whole();
        }
        return times;
    }

    private int whole() throws IOException {
        if (page("").body().length < ConfigMapRequests.OBJECTS * 1000) {
            throw new IOException("the list is too short");
        }
        return 1;
    }

    private int chunks() throws IOException {
        int requests = 0;
        String token = "";
        do {
            String next = token.isEmpty() ? "" : "&continue=" + token;
            String body = new String(page("?limit=500" + next).body(), StandardCharsets.ISO_8859_1);
            int at = body.indexOf("\"continue\":\"") + "\"continue\":\"".length();
            token = body.substring(at, body.indexOf('"', at));
            requests++;
        } while (!token.isEmpty());
        if (requests != ConfigMapRequests.OBJECTS / 500) {
            throw new IOException("the list had " + requests + " chunks");
        }
        return requests;
    }
}
