package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.review.AccessReview;
import io.plat.review.NameRule;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.SelectorAttributes;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one review. The name of the member with the groups depends on the version, which is in the path or usually precedes the spec; if it
 * follows the spec, the body is read twice.
 */
final class ReviewReader {
    private static final MemberNames API_VERSION = MemberNames.of("apiVersion");
    private static final MemberNames MEMBERS = MemberNames.of("kind", "apiVersion", "spec");

    private final JsonBody body;
    private final Expectation expected;

    private @Nullable String apiVersion;
    private @Nullable String kind;
    private SpecReader.Spec spec = SpecReader.Spec.EMPTY;

    private ReviewReader(JsonBody body, Expectation expected) {
        this.body = body;
        this.expected = expected;
    }

    static AccessReview read(JsonBody body, Expectation expected) throws StatusException {
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

    /** Returns the failure of a review with neither a user nor a group. */
    static StatusException withoutSubject(ReviewVersion version) {
        InvalidSpec invalid = new InvalidSpec();
        invalid.addWithoutSubject();
        return new StatusException(invalid.status(version));
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

    /** Returns the version for reading the spec, before the whole body was read. */
    private ReviewVersion versionForSpec() throws IOException, StatusException {
        if (expected.version() != null) {
            return expected.version();
        }
        if (apiVersion == null) {
            apiVersion = findApiVersion();
            ReviewVersion version = version();
            // Read again later, where duplicates are detected.
            apiVersion = null;
            return version;
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
            JsonBody.expect("apiVersion", fromPath.apiVersion(), apiVersion);
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
            JsonBody.expect("kind", wanted, kind);
        }
    }

    private static String knownVersions() {
        return Arrays.stream(ReviewVersion.values())
                .map(version -> Quoted.of(version.apiVersion()))
                .collect(Collectors.joining(", "));
    }

    /** Validation of well-formed specs that cannot be decided: all causes at once, with Kubernetes' messages. */
    private static final class InvalidSpec {
        private static final String INVALID = "FieldValueInvalid";
        private static final String REQUIRED = "FieldValueRequired";
        private static final String FORBIDDEN = "FieldValueForbidden";

        /** Number of causes after which requirements are no longer checked. */
        private static final int ENOUGH = 100;

        private final List<Cause> causes = new ArrayList<>(0);

        private InvalidSpec() {}

        static void check(SpecReader.Spec spec, Expectation expected, ReviewVersion version) throws StatusException {
            ReviewKind kind = expected.kind();
            InvalidSpec invalid = new InvalidSpec();
            invalid.checkAttributes(spec.resource(), spec.nonResource());
            if (kind.namesSubject()
                    && spec.user().name().isEmpty()
                    && spec.user().groups().isEmpty()) {
                invalid.addWithoutSubject();
            }
            if (spec.resource() != null) {
                invalid.checkSelector("fieldSelector", spec.resource().fieldSelector());
                invalid.checkSelector("labelSelector", spec.resource().labelSelector());
            }
            if (kind == ReviewKind.LOCAL_SUBJECT_ACCESS_REVIEW) {
                invalid.checkLocal(spec, expected.namespace());
            }
            if (!invalid.causes.isEmpty()) {
                throw new StatusException(invalid.status(version));
            }
        }

        private void checkAttributes(
                @Nullable ResourceAttributes resource, @Nullable NonResourceAttributes nonResource) {
            if (resource != null && nonResource != null) {
                add(
                        "spec.nonResourceAttributes",
                        describe(nonResource),
                        "cannot be specified in combination with resourceAttributes");
            } else if (resource == null && nonResource == null) {
                add(
                        "spec.resourceAttributes",
                        "null",
                        "exactly one of nonResourceAttributes or resourceAttributes must be specified");
            }
        }

        private void checkLocal(SpecReader.Spec spec, String namespace) {
            if (spec.resource() != null && !spec.resource().namespace().equals(namespace)) {
                add(
                        "spec.resourceAttributes.namespace",
                        Quoted.of(spec.resource().namespace()),
                        "must match metadata.namespace");
            }
            if (spec.nonResource() != null) {
                add("spec.nonResourceAttributes", describe(spec.nonResource()), "disallowed on this kind of request");
            }
        }

        private void checkSelector(String member, @Nullable SelectorAttributes selector) {
            if (selector == null) {
                return;
            }
            String field = "spec.resourceAttributes." + member;
            boolean raw = !selector.rawSelector().isEmpty();
            boolean parsed = !selector.requirements().isEmpty();
            if (raw && parsed) {
                add(
                        field + ".rawSelector",
                        Quoted.of(selector.rawSelector()),
                        "may not specified at the same time as requirements");
            } else if (!raw && !parsed) {
                causes.add(new Cause(
                        REQUIRED,
                        "Required value: when " + field + " is specified, requirements or rawSelector is required",
                        field + ".requirements"));
            }
            for (int i = 0; i < selector.requirements().size() && causes.size() < ENOUGH; i++) {
                String at = field + ".requirements[" + i + "].";
                String key = selector.requirements().get(i).key();
                boolean labels = member.equals("labelSelector");
                if (key.isEmpty() && !labels) {
                    causes.add(new Cause(REQUIRED, "Required value: must be specified", at + "key"));
                }
                List<String> values = selector.requirements().get(i).values();
                checkCount(at, selector.requirements().get(i));
                if (labels) {
                    addAll(at + "key", key, NameRule.qualifiedName(key));
                    for (int j = 0; j < values.size() && causes.size() < ENOUGH; j++) {
                        addAll(at + "values[" + j + "]", values.get(j), NameRule.LABEL_VALUE.problems(values.get(j)));
                    }
                }
            }
        }

        private void addAll(String field, String value, List<String> problems) {
            problems.forEach(problem -> add(field, Quoted.of(value), problem));
        }

        /** Checks the number of values. Unknown operators may be those of newer clients. */
        private void checkCount(String field, SelectorAttributes.Requirement requirement) {
            boolean any = !requirement.values().isEmpty();
            switch (requirement.operator()) {
                case "In", "NotIn" -> {
                    if (!any) {
                        causes.add(new Cause(
                                REQUIRED,
                                "Required value: must be specified when `operator` is 'In' or 'NotIn'",
                                field + "values"));
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (any) {
                        causes.add(new Cause(
                                FORBIDDEN,
                                "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
                                field + "values"));
                    }
                }
                default -> {}
            }
        }

        private void addWithoutSubject() {
            add("spec.user", "\"\"", "at least one of user or group must be specified");
        }

        private void add(String field, String value, String detail) {
            causes.add(new Cause(INVALID, "Invalid value: " + value + ": " + detail, field));
        }

        private static String describe(NonResourceAttributes attributes) {
            return "{\"Path\":" + Quoted.of(attributes.path()) + ",\"Verb\":" + Quoted.of(attributes.verb()) + "}";
        }

        /** Kubernetes names the group of an invalid review, but not its kind. */
        private Status status(ReviewVersion version) {
            String all = causes.stream()
                    .map(cause -> cause.field() + ": " + cause.message())
                    .collect(Collectors.joining(", "));
            String message =
                    "." + version.group() + " \"\" is invalid: " + (causes.size() == 1 ? all : "[" + all + "]");
            return Status.of(StatusReason.INVALID, message)
                    .withDetails(new Details("", version.group(), "", "", causes, 0));
        }
    }
}
