package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;

/** Reads one SelfSubjectRulesReview. */
final class RulesReviewReader {
    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final int SPEC = 4;

    private final Members members;
    private final ReviewVersion version;
    private String namespace = "";

    private RulesReviewReader(ReviewVersion version, JsonParser json) {
        this.version = version;
        this.members = new Members(json);
    }

    static RulesReview read(Body body, ReviewVersion version) throws StatusException {
        if (!body.isUtf8()) {
            throw Members.malformed("the body is not valid UTF-8");
        }
        try (JsonParser json = body.parser()) {
            return new RulesReviewReader(version, json).review();
        } catch (JsonProcessingException e) {
            throw Members.malformed("the body is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw Members.malformed("the body is not valid JSON");
        }
    }

    private RulesReview review() throws IOException, StatusException {
        if (members.json.nextToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("the body", RulesReview.KIND);
        }
        int seen = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            switch (name) {
                case "apiVersion" -> {
                    seen = Members.once(seen, API_VERSION, name);
                    require(name, version.apiVersion());
                }
                case "kind" -> {
                    seen = Members.once(seen, KIND, name);
                    require(name, RulesReview.KIND);
                }
                case "spec" -> {
                    seen = Members.once(seen, SPEC, name);
                    spec();
                }
                default -> members.skip();
            }
        }
        if (members.json.nextToken() != null) {
            throw Members.malformed("unexpected content after the " + RulesReview.KIND);
        }
        if (namespace.isEmpty()) {
            // The words of existing servers.
            throw Members.malformed("no namespace on request");
        }
        return new RulesReview(version, namespace);
    }

    private void require(String name, String expected) throws IOException, StatusException {
        String found = members.string(name);
        if (!found.isEmpty() && !found.equals(expected)) {
            throw Members.malformed(name + ": expected " + Quoted.of(expected) + ", found " + Quoted.of(found));
        }
    }

    private void spec() throws IOException, StatusException {
        if (!members.object("spec")) {
            return;
        }
        int seen = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            if (name.equals("namespace")) {
                seen = Members.once(seen, 1, "spec.namespace");
                namespace = members.string("spec.namespace");
            } else {
                members.skip();
            }
        }
    }
}
