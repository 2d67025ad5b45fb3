package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.review.AccessReview;
import io.plat.review.ReviewVersion;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one review. The name of the groups' member depends on the version, which is in the path or precedes the spec in what servers send;
 * if a body has it after the spec, the body is read twice rather than both names once.
 */
final class ReviewReader {
    private static final MemberNames API_VERSION = MemberNames.of("apiVersion");
    private static final MemberNames MEMBERS = MemberNames.of("kind", "apiVersion", "spec");

    private final Body body;
    private final Expectation expected;

    private @Nullable String apiVersion;
    private @Nullable String kind;
    private SpecReader.Spec spec = SpecReader.Spec.EMPTY;

    private ReviewReader(Body body, Expectation expected) {
        this.body = body;
        this.expected = expected;
    }

    static AccessReview read(Body body, Expectation expected) throws StatusException {
        ReviewReader reader = new ReviewReader(body, expected);
        String kind = expected.kind().kind();
        body.read("the body", kind, kind, reader::members);
        return reader.review();
    }

    private AccessReview review() throws StatusException {
        ReviewVersion version = version();
        checkKind();
        InvalidSpec.check(spec, expected, version);
        return spec.review(expected.kind(), version);
    }

    private void members(Members members) throws IOException, StatusException {
        Members.Known known = members.known(MEMBERS);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "apiVersion" -> apiVersion = members.string();
                case "kind" -> kind = members.string();
                default -> spec = SpecReader.read(members, expected.kind(), versionForSpec());
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
            json.nextToken();
            Members ahead = new Members(json);
            return ahead.known(API_VERSION).next() == null ? null : ahead.string();
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
        if (fromPath != null) {
            Body.expect("apiVersion", fromPath.apiVersion(), apiVersion);
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
        } else {
            Body.expect("kind", wanted, kind);
        }
    }

    private static String knownVersions() {
        return Arrays.stream(ReviewVersion.values())
                .map(version -> Quoted.of(version.apiVersion()))
                .collect(Collectors.joining(", "));
    }
}
