package io.plat.review.codec;

import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.SelectorAttributes;
import io.plat.review.SelectorAttributes.Requirement;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reader of the spec of a review, in the vocabulary of its version. */
record SpecReader(Members members) {
    static final MemberNames PATH = MemberNames.of("path", "verb");
    static final MemberNames RESOURCE = MemberNames.of(
            "namespace",
            "verb",
            "group",
            "version",
            "resource",
            "subresource",
            "name",
            "fieldSelector",
            "labelSelector");

    static final MemberNames REQUIREMENT = MemberNames.of("key", "operator", "values");

    private static final MemberNames SELECTOR = MemberNames.of("rawSelector", "requirements");
    private static final MemberNames ACCESS = MemberNames.of("resourceAttributes", "nonResourceAttributes");
    private static final Map<ReviewVersion, MemberNames> WITH_SUBJECT = Arrays.stream(ReviewVersion.values())
            .collect(Collectors.toMap(
                    version -> version,
                    version -> MemberNames.of(
                            "resourceAttributes",
                            "nonResourceAttributes",
                            "user",
                            version.groupsField(),
                            "extra",
                            "uid")));

    /** The content of a spec, possibly invalid. */
    record Spec(
            UserInfo user,
            @Nullable ResourceAttributes resource,
            @Nullable NonResourceAttributes nonResource) {
        static final Spec EMPTY = new Spec(new UserInfo("", List.of()), null, null);

        /** Returns the review of a valid spec. */
        AccessReview review(ReviewKind kind, ReviewVersion version) {
            AccessAttributes access = resource == null ? Objects.requireNonNull(nonResource) : resource;
            return new AccessReview(kind, version, kind.namesSubject() ? user : null, access);
        }
    }

    static Spec read(Members members, ReviewKind kind, ReviewVersion version) throws IOException, StatusException {
        if (!members.object()) {
            return Spec.EMPTY;
        }
        // In a review of the caller's own access, members that name a user are unknown.
        MemberNames names = kind.namesSubject() ? Objects.requireNonNull(WITH_SUBJECT.get(version)) : ACCESS;
        return new SpecReader(members).spec(members.known(names));
    }

    private Spec spec(Members.Known known) throws IOException, StatusException {
        String user = "";
        String uid = "";
        List<String> groups = List.of();
        Map<String, List<String>> extra = Map.of();
        ResourceAttributes resource = null;
        NonResourceAttributes nonResource = null;
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "resourceAttributes" -> resource = members.object() ? resource() : null;
                case "nonResourceAttributes" -> nonResource = members.object() ? nonResource() : null;
                case "user" -> user = members.string();
                case "uid" -> uid = members.string();
                case "extra" -> extra = extra(members);
                default -> groups = members.strings();
            }
        }
        return new Spec(new UserInfo(user, uid, groups, extra), resource, nonResource);
    }

    static Map<String, List<String>> extra(Members members) throws IOException, StatusException {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (!members.object()) {
            return values;
        }
        for (String key = members.json().nextFieldName();
                key != null;
                key = members.json().nextFieldName()) {
            members.json().nextToken();
            members.requireWellFormed(key);
            if (values.putIfAbsent(key, members.strings()) != null) {
                throw Members.malformed("spec.extra: a key is given twice");
            }
        }
        return values;
    }

    private NonResourceAttributes nonResource() throws IOException, StatusException {
        String[] texts = members.known(PATH).texts();
        return new NonResourceAttributes(texts[0], texts[1]);
    }

    private ResourceAttributes resource() throws IOException, StatusException {
        String[] texts = {"", "", "", "", "", "", ""};
        SelectorAttributes fieldSelector = null;
        SelectorAttributes labelSelector = null;
        Members.Known known = members.known(RESOURCE);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "fieldSelector" -> fieldSelector = members.object() ? selector() : null;
                case "labelSelector" -> labelSelector = members.object() ? selector() : null;
                default -> texts[known.position()] = members.string();
            }
        }
        return new ResourceAttributes(
                texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], texts[6], fieldSelector, labelSelector);
    }

    private SelectorAttributes selector() throws IOException, StatusException {
        String raw = "";
        List<Requirement> requirements = List.of();
        Members.Known known = members.known(SELECTOR);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "rawSelector" -> raw = members.string();
                default -> requirements = members.list(this::requirement);
            }
        }
        return new SelectorAttributes(raw, requirements);
    }

    private Requirement requirement() throws IOException, StatusException {
        String key = "";
        String operator = "";
        List<String> values = List.of();
        if (members.object()) {
            Members.Known known = members.known(REQUIREMENT);
            for (String name = known.next(); name != null; name = known.next()) {
                switch (name) {
                    case "key" -> key = members.string();
                    case "operator" -> operator = members.string();
                    default -> values = members.strings();
                }
            }
        }
        return new Requirement(key, operator, values);
    }
}
