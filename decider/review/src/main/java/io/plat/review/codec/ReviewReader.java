package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.AccessReview;
import io.plat.review.ReviewVersion;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads one review. The name of the member that holds the groups depends on the version, which the path names or which comes
 * first in what servers send; where a body has it after the spec, the body is read twice rather than both names once.
 */
final class ReviewReader {
    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final int SPEC = 4;

    private final Body body;
    private final Expectation expected;
    private final Members members;

    private @Nullable String apiVersion;
    private @Nullable String kind;
    private SpecReader.@Nullable Spec spec;

    private ReviewReader(Body body, Expectation expected, JsonParser json) {
        this.body = body;
        this.expected = expected;
        this.members = new Members(json);
    }

    static AccessReview read(Body body, Expectation expected) throws StatusException {
        if (!body.isUtf8()) {
            throw Members.malformed("the body is not valid UTF-8");
        }
        try (JsonParser json = body.parser()) {
            return new ReviewReader(body, expected, json).review();
        } catch (JsonProcessingException e) {
            throw Members.malformed("the body is not valid JSON: " + JsonText.message(e));
        } catch (IOException e) {
            throw Members.malformed("the body is not valid JSON");
        }
    }

    private AccessReview review() throws IOException, StatusException {
        JsonParser json = members.json;
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw members.wrongType("the body", expected.kind().kind());
        }
        readMembers(json);
        if (json.nextToken() != null) {
            throw Members.malformed(
                    "unexpected content after the " + expected.kind().kind());
        }
        ReviewVersion version = version();
        checkKind();
        SpecReader.Spec asked = spec == null ? SpecReader.Spec.EMPTY : spec;
        InvalidSpec.check(asked, expected, version);
        return asked.review(expected.kind(), version);
    }

    private void readMembers(JsonParser json) throws IOException, StatusException {
        int seen = 0;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            members.value();
            switch (name) {
                case "apiVersion" -> {
                    seen = Members.once(seen, API_VERSION, name);
                    apiVersion = members.string(name);
                }
                case "kind" -> {
                    seen = Members.once(seen, KIND, name);
                    kind = members.string(name);
                }
                case "spec" -> {
                    seen = Members.once(seen, SPEC, name);
                    spec = SpecReader.read(members, expected.kind(), versionForSpec());
                }
                default -> members.skip();
            }
        }
    }

    /** The version to read the spec by, before all of the body was seen. */
    private ReviewVersion versionForSpec() throws IOException, StatusException {
        if (expected.version() != null) {
            return expected.version();
        }
        if (apiVersion == null) {
            apiVersion = findApiVersion();
            ReviewVersion found = version();
            // Found again on the way, where it has to be the only one.
            apiVersion = null;
            return found;
        }
        return version();
    }

    private @Nullable String findApiVersion() throws IOException, StatusException {
        try (JsonParser json = body.parser()) {
            Members ahead = new Members(json);
            json.nextToken();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                ahead.value();
                if (name.equals("apiVersion")) {
                    return ahead.string(name);
                }
                ahead.skip();
            }
            return null;
        }
    }

    private ReviewVersion version() throws StatusException {
        ReviewVersion fromPath = expected.version();
        if (apiVersion == null || apiVersion.isEmpty()) {
            if (fromPath == null) {
                throw Members.malformed("apiVersion: required, expected one of " + knownVersions());
            }
            return fromPath;
        }
        ReviewVersion named = ReviewVersion.of(apiVersion).orElse(null);
        if (fromPath != null && named != fromPath) {
            throw Members.malformed(
                    "apiVersion: expected " + Quoted.of(fromPath.apiVersion()) + ", found " + Quoted.of(apiVersion));
        }
        if (named == null) {
            throw Members.malformed(
                    "apiVersion: expected one of " + knownVersions() + ", found " + Quoted.of(apiVersion));
        }
        return named;
    }

    private void checkKind() throws StatusException {
        String wanted = expected.kind().kind();
        if (kind == null || kind.isEmpty()) {
            if (expected.version() == null) {
                throw Members.malformed("kind: required, expected " + Quoted.of(wanted));
            }
        } else if (!kind.equals(wanted)) {
            throw Members.malformed("kind: expected " + Quoted.of(wanted) + ", found " + Quoted.of(kind));
        }
    }

    private static String knownVersions() {
        return Arrays.stream(ReviewVersion.values())
                .map(version -> Quoted.of(version.apiVersion()))
                .collect(Collectors.joining(", "));
    }
}
