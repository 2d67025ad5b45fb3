package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Codec of SelfSubjectRulesReview and SubjectRules as JSON. Thread-safe. */
public final class RulesReviewCodec {
    private static final String GROUPS = "groups";
    private static final MemberNames SPEC = MemberNames.of("namespace");
    /** The groups have the name in the contract, or the one in other reviews of this version. */
    private static final MemberNames SUBJECT_SPEC =
            MemberNames.of("namespace", GROUPS, "group", "user", "uid", "extra");

    private static final MemberNames STATUS =
            MemberNames.of("resourceRules", "nonResourceRules", "incomplete", "evaluationError");
    private static final MemberNames RESOURCE_RULE = MemberNames.of("verbs", "apiGroups", "resources", "resourceNames");
    private static final MemberNames PATH_RULE = MemberNames.of("verbs", "nonResourceURLs");

    private final int maxBytes;

    /** Creates a codec for bodies of up to {@link ReviewCodec#DEFAULT_MAX_BYTES}. */
    public RulesReviewCodec() {
        this(ReviewCodec.DEFAULT_MAX_BYTES);
    }

    /**
     * Creates a codec.
     *
     * @param maxBytes maximum size of a body, in bytes
     */
    public RulesReviewCodec(int maxBytes) {
        this.maxBytes = JsonBody.requireLimit(maxBytes);
    }

    /**
     * Decodes a client's review. A missing apiVersion or kind is defaulted from the path.
     *
     * @param version the version in the path
     * @throws StatusException 400 if it is malformed, not such a review or without a namespace, 413 if it is too large
     */
    public RulesReview decode(byte[] body, ReviewVersion version) throws StatusException {
        PlainSpec spec = PlainSpec.read(body, maxBytes, RulesReview.KIND, version, SPEC, "");
        return new RulesReview(version, required(spec.texts().getOrDefault("namespace", "")));
    }

    private static String required(String namespace) throws StatusException {
        if (namespace.isEmpty()) {
            // Kubernetes' message.
            throw Members.malformed("no namespace on request");
        }
        return namespace;
    }

    /**
     * Decodes SubjectRules. A missing apiVersion or kind is defaulted.
     *
     * @throws StatusException 400 if it is malformed, not of that kind or without a namespace, 413 if it is too large, 422 without a user
     *     and groups
     */
    public RulesReview decodeSubject(byte[] body) throws StatusException {
        SubjectSpec spec = new SubjectSpec();
        JsonBody.of(body, maxBytes)
                .readReview(RulesReview.SUBJECT_KIND, RulesReview.SUBJECT_VERSION.apiVersion(), spec::read);
        String namespace = required(spec.namespace);
        if (spec.user.isEmpty() && spec.groups.isEmpty()) {
            throw ReviewReader.withoutSubject(RulesReview.SUBJECT_VERSION);
        }
        UserInfo user = new UserInfo(spec.user, spec.uid, spec.groups, spec.extra);
        return new RulesReview(RulesReview.SUBJECT_VERSION, namespace, user);
    }

    /** A partially read spec of SubjectRules. */
    private static final class SubjectSpec {
        private String namespace = "";
        private String user = "";
        private String uid = "";
        private final List<String> groups = new ArrayList<>();
        private Map<String, List<String>> extra = Map.of();

        void read(Members members) throws IOException, StatusException {
            if (!members.object()) {
                return;
            }
            Members.Known known = members.known(SUBJECT_SPEC);
            for (String name = known.next(); name != null; name = known.next()) {
                switch (name) {
                    case "namespace" -> namespace = members.string();
                    case "user" -> user = members.string();
                    case "uid" -> uid = members.string();
                    case "extra" -> extra = SpecReader.extra(members);
                    default -> groups.addAll(members.strings());
                }
            }
        }
    }

    /** Encodes the response. Its spec is empty, as in Kubernetes, and so are lists without rules. UTF-8. */
    public byte[] encode(RulesReview review, RuleListing rules) {
        return ResponseDocument.of(review.kind(), review.version().apiVersion(), json -> {
            ResponseDocument.object("spec", spec -> {}, json);
            ResponseDocument.object("status", status -> status(rules, status), json);
        });
    }

    /** Encodes the review as a client sends it. UTF-8. */
    public byte[] encodeRequest(RulesReview review) {
        return ResponseDocument.written(json -> {
            json.writeStringField("kind", review.kind());
            json.writeStringField("apiVersion", review.version().apiVersion());
            json.writeObjectFieldStart("spec");
            json.writeStringField("namespace", JsonText.wellFormed(review.namespace()));
            if (review.user() != null) {
                ReviewWriter.writeUser(review.user(), GROUPS, json);
            }
            json.writeEndObject();
        });
    }

    /**
     * Decodes the rules of a server's response.
     *
     * @param version the requested version
     * @throws MalformedResponseException unless the body is such a review of that version, with a status; a listing without {@code incomplete} is
     *     complete, as some servers omit false values
     */
    public RuleListing decodeResponse(byte[] body, ReviewVersion version) throws MalformedResponseException {
        return ResponseReader.read(
                body, ExplanationCodec.MAX_BYTES, RulesReview.KIND, version.apiVersion(), RulesReviewCodec::status);
    }

    /**
     * Decodes the rules of a decider's response to SubjectRules.
     *
     * @throws MalformedResponseException as {@link #decodeResponse}
     */
    public RuleListing decodeSubjectResponse(byte[] body) throws MalformedResponseException {
        return ResponseReader.read(
                body,
                ExplanationCodec.MAX_BYTES,
                RulesReview.SUBJECT_KIND,
                RulesReview.SUBJECT_VERSION.apiVersion(),
                RulesReviewCodec::status);
    }

    private static RuleListing status(Members members) throws IOException, StatusException {
        List<ResourceRule> resources = List.of();
        List<PathRule> paths = List.of();
        boolean incomplete = false;
        String error = "";
        Members.Known known = members.known(STATUS);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "resourceRules" ->
                    resources = members.list(() -> {
                        List<List<String>> lists = lists(members, RESOURCE_RULE);
                        return new ResourceRule(lists.get(0), lists.get(1), lists.get(2), lists.get(3));
                    });
                case "nonResourceRules" ->
                    paths = members.list(() -> {
                        List<List<String>> lists = lists(members, PATH_RULE);
                        return new PathRule(lists.get(0), lists.get(1));
                    });
                case "incomplete" -> incomplete = members.bool();
                default -> error = members.string();
            }
        }
        List<UnexplainedAuthorizer> unexplained = incomplete
                ? List.of(new UnexplainedAuthorizer(
                        "the server", error.isEmpty() ? "it does not report a reason" : error))
                : List.of();
        return new RuleListing(new BoundedList<>(resources, 0), new BoundedList<>(paths, 0), unexplained);
    }

    /** Reads the members of a rule, each a list of strings. */
    private static List<List<String>> lists(Members members, MemberNames names) throws IOException, StatusException {
        List<List<String>> lists = new ArrayList<>(Collections.nCopies(names.size(), List.of()));
        Members.Known known = members.required(names);
        while (known.next() != null) {
            lists.set(known.position(), members.strings());
        }
        return lists;
    }

    private static void status(RuleListing rules, JsonGenerator json) throws IOException {
        ResponseDocument.objects("resourceRules", rules.resources().items(), json, rule -> {
            ResponseDocument.strings("verbs", rule.verbs(), json);
            ResponseDocument.strings("apiGroups", rule.apiGroups(), json);
            ResponseDocument.strings("resources", rule.resources(), json);
            if (!rule.resourceNames().isEmpty()) {
                ResponseDocument.strings("resourceNames", rule.resourceNames(), json);
            }
        });
        ResponseDocument.objects("nonResourceRules", rules.paths().items(), json, rule -> {
            ResponseDocument.strings("verbs", rule.verbs(), json);
            ResponseDocument.strings("nonResourceURLs", rule.paths(), json);
        });
        json.writeBooleanField("incomplete", rules.incomplete());
        if (rules.incomplete()) {
            json.writeStringField("evaluationError", JsonText.wellFormed(rules.error()));
        }
    }

    /**
     * A spec with strings and flags only; unknown members are ignored.
     *
     * @param texts the non-null strings, by name
     * @param isFlagged whether the flag is true
     */
    record PlainSpec(Map<String, String> texts, boolean isFlagged) {
        /**
         * Reads a spec.
         *
         * @param known the members of the spec
         * @param flag the name of the flag; {@code ""} for none
         * @throws StatusException 400 if it is malformed or of another kind, 413 if it is too large
         */
        static PlainSpec read(
                byte[] body, int maxBytes, String kind, ReviewVersion version, MemberNames known, String flag)
                throws StatusException {
            Map<String, String> texts = new HashMap<>();
            boolean[] flagged = {false};
            JsonBody.of(body, maxBytes).readReview(kind, version.apiVersion(), members -> {
                if (members.object()) {
                    Members.Known names = members.known(known);
                    for (String name = names.next(); name != null; name = names.next()) {
                        if (name.equals(flag)) {
                            flagged[0] = members.bool();
                        } else if (members.json().currentToken() != JsonToken.VALUE_NULL) {
                            texts.put(name, members.string());
                        }
                    }
                }
            });
            return new PlainSpec(texts, flagged[0]);
        }
    }
}
