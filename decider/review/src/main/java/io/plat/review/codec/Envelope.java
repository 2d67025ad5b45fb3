package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Map;

/** What reviews of one kind have around their spec: the version and the kind, which may be left out but not be others. */
final class Envelope {

    private Envelope() {}

    /** Reads a spec whose value the parser stands at. */
    @FunctionalInterface
    interface Spec {
        void read(Members members) throws IOException, StatusException;
    }

    /**
     * Reads one review.
     *
     * @throws StatusException 400 for what is malformed or another kind
     */
    static void read(Body body, String kind, ReviewVersion version, Spec spec) throws StatusException {
        if (!body.isUtf8()) {
            throw Members.malformed("the body is not valid UTF-8");
        }
        try (JsonParser json = body.parser()) {
            read(new Members(json), kind, version, spec);
        } catch (JsonProcessingException e) {
            throw Members.malformed("the body is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw Members.malformed("the body is not valid JSON");
        }
    }

    private static void read(Members members, String kind, ReviewVersion version, Spec spec)
            throws IOException, StatusException {
        if (members.json.nextToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("the body", kind);
        }
        members.read(
                "",
                Map.of(
                        "apiVersion", name -> require(members, name, version.apiVersion()),
                        "kind", name -> require(members, name, kind),
                        "spec", name -> spec.read(members)));
        if (members.json.nextToken() != null) {
            throw Members.malformed("unexpected content after the " + kind);
        }
    }

    private static void require(Members members, String name, String expected) throws IOException, StatusException {
        String found = members.string(name);
        if (!found.isEmpty() && !found.equals(expected)) {
            throw Members.malformed(name + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(found));
        }
    }
}
