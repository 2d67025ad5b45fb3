package io.plat.review.codec;

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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Validation of well-formed specs that can't be decided: all causes at once, in Kubernetes' words. */
final class InvalidSpec {
    private static final String INVALID = "FieldValueInvalid";
    private static final String REQUIRED = "FieldValueRequired";

    private final List<Cause> causes = new ArrayList<>(0);

    private InvalidSpec() {}

    static void check(SpecReader.Spec spec, Expectation expected, ReviewVersion version) throws StatusException {
        ReviewKind kind = expected.kind();
        InvalidSpec invalid = new InvalidSpec();
        invalid.checkAttributes(spec.resource(), spec.nonResource());
        if (kind.namesSubject()
                && spec.user().name().isEmpty()
                && spec.user().groups().isEmpty()) {
            invalid.add("spec.user", "\"\"", "at least one of user or group must be specified");
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

    private void checkAttributes(@Nullable ResourceAttributes resource, @Nullable NonResourceAttributes nonResource) {
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
    }

    private void add(String field, String value, String why) {
        causes.add(new Cause(INVALID, "Invalid value: " + value + ": " + why, field));
    }

    private static String describe(NonResourceAttributes attributes) {
        return "{\"Path\":" + Quoted.of(attributes.path()) + ",\"Verb\":" + Quoted.of(attributes.verb()) + "}";
    }

    /** Kubernetes names the group of an invalid review, but not its kind. */
    private Status status(ReviewVersion version) {
        String all = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .collect(Collectors.joining(", "));
        String message = "." + version.group() + " \"\" is invalid: " + (causes.size() == 1 ? all : "[" + all + "]");
        return Status.of(StatusReason.INVALID, message)
                .withDetails(new Details("", version.group(), "", "", causes, 0));
    }
}
