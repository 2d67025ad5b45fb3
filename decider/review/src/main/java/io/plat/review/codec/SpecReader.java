package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the spec of a review, in the vocabulary of its version. */
final class SpecReader {
    private static final int USER = 1;
    private static final int GROUPS = 2;
    private static final int UID = 4;
    private static final int EXTRA = 8;
    private static final int RESOURCE = 16;
    private static final int NON_RESOURCE = 32;

    private static final int PATH = 1;
    private static final int VERB = 2;

    private final Members members;
    private final boolean namesSubject;
    private final String groupsField;
    private int seen;

    private String user = "";
    private String uid = "";
    private List<String> groups = List.of();
    private Map<String, List<String>> extra = Map.of();
    private @Nullable ResourceAttributes resource;
    private @Nullable NonResourceAttributes nonResource;

    private SpecReader(Members members, ReviewKind kind, ReviewVersion version) {
        this.members = members;
        this.namesSubject = kind.namesSubject();
        this.groupsField = version.groupsField();
    }

    /** What a spec says, be it a question or not. */
    record Spec(
            UserInfo user,
            @Nullable ResourceAttributes resource,
            @Nullable NonResourceAttributes nonResource) {
        static final Spec EMPTY = new Spec(new UserInfo("", List.of()), null, null);

        /** The review, of a spec that was found valid. */
        AccessReview review(ReviewKind kind, ReviewVersion version) {
            AccessAttributes access = resource == null ? Objects.requireNonNull(nonResource) : resource;
            return new AccessReview(kind, version, kind.namesSubject() ? user : null, access);
        }
    }

    static Spec read(Members members, ReviewKind kind, ReviewVersion version) throws IOException, StatusException {
        if (!members.object("spec")) {
            return Spec.EMPTY;
        }
        return new SpecReader(members, kind, version).spec();
    }

    private Spec spec() throws IOException, StatusException {
        JsonParser json = members.json;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            members.value();
            switch (name) {
                case "resourceAttributes" -> {
                    once(RESOURCE, name);
                    resource = ResourceReader.read(members);
                }
                case "nonResourceAttributes" -> {
                    once(NON_RESOURCE, name);
                    nonResource = nonResource();
                }
                default -> subjectMember(name);
            }
        }
        return new Spec(new UserInfo(user, uid, groups, extra), resource, nonResource);
    }

    /** A review about the asker has no members that name somebody else: they are unknown members there. */
    private void subjectMember(String name) throws IOException, StatusException {
        if (!namesSubject) {
            members.skip();
        } else if (name.equals(groupsField)) {
            once(GROUPS, name);
            groups = members.strings("spec." + groupsField);
        } else {
            switch (name) {
                case "user" -> {
                    once(USER, name);
                    user = members.string("spec.user");
                }
                case "uid" -> {
                    once(UID, name);
                    uid = members.string("spec.uid");
                }
                case "extra" -> {
                    once(EXTRA, name);
                    extra = extra();
                }
                default -> members.skip();
            }
        }
    }

    private void once(int member, String name) throws StatusException {
        if ((seen & member) != 0) {
            throw Members.malformed("spec." + name + ": given twice");
        }
        seen |= member;
    }

    private Map<String, List<String>> extra() throws IOException, StatusException {
        if (!members.object("spec.extra")) {
            return Map.of();
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String key = members.json.nextFieldName(); key != null; key = members.json.nextFieldName()) {
            members.value();
            Members.requireWellFormed("spec.extra", key);
            if (values.putIfAbsent(key, members.strings("spec.extra")) != null) {
                throw Members.malformed("spec.extra: a key is given twice");
            }
        }
        return values;
    }

    private @Nullable NonResourceAttributes nonResource() throws IOException, StatusException {
        if (!members.object("spec.nonResourceAttributes")) {
            return null;
        }
        String path = "";
        String verb = "";
        int given = 0;
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            switch (name) {
                case "path" -> {
                    given = Members.once(given, PATH, "spec.nonResourceAttributes.path");
                    path = members.string("spec.nonResourceAttributes.path");
                }
                case "verb" -> {
                    given = Members.once(given, VERB, "spec.nonResourceAttributes.verb");
                    verb = members.string("spec.nonResourceAttributes.verb");
                }
                default -> members.skip();
            }
        }
        return new NonResourceAttributes(path, verb);
    }
}
