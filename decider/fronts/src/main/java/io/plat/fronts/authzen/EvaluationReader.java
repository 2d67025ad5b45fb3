package io.plat.fronts.authzen;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.fronts.authzen.EvaluationRequest.Entity;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.review.codec.JsonBody;
import io.plat.review.codec.MemberNames;
import io.plat.review.codec.Members;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reader of request bodies (AuthZEN 1.0, "Transport"). Unknown members are ignored. Not thread-safe. */
final class EvaluationReader {
    /** Maximum number of evaluations of a batch. */
    static final int MAX_EVALUATIONS = 1_000;

    /** Maximum number of values in the properties and contexts of a body. */
    private static final int MAX_VALUES = 50_000;

    /** Maximum total size, in characters, of the defaults that the evaluations of a batch inherit: each of them is decided and logged with these. */
    private static final int MAX_INHERITED = 2 << 20;

    /** Maximum size of one evaluation, as an expression may read all of it at each step. */
    private static final int MAX_VALUES_EACH = 2_000;

    private static final int MAX_NUMBER = 64;
    private static final int MAX_LONG = 18;

    static final MemberNames EVALUATION = MemberNames.of("subject", "action", "resource", "context");
    static final MemberNames EVALUATIONS =
            MemberNames.of("subject", "action", "resource", "context", "evaluations", "options");
    static final MemberNames SEARCH = MemberNames.of("subject", "action", "resource", "context", "page");
    private static final MemberNames ENTITY = MemberNames.of("type", "id", "properties");
    private static final MemberNames ACTION = MemberNames.of("name", "properties");
    private static final MemberNames OPTIONS = MemberNames.of("evaluations_semantic");
    private static final MemberNames PAGE = MemberNames.of("token", "limit");

    private final Members members;
    private int values;
    private int limit;
    private List<EvaluationRequest> evaluations = List.of();
    private Semantic semantic = Semantic.EXECUTE_ALL;
    private Page page = new Page("", null);

    private EvaluationReader(Members members) {
        this.members = members;
    }

    /** Rule for the end of a batch. */
    enum Semantic {
        EXECUTE_ALL,
        DENY_ON_FIRST_DENY,
        PERMIT_ON_FIRST_PERMIT;

        static Semantic of(String word) throws StatusException {
            for (Semantic semantic : values()) {
                if (semantic.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return semantic;
                }
            }
            throw Members.malformed("options.evaluations_semantic: expected execute_all, deny_on_first_deny or "
                    + "permit_on_first_permit, found " + Quoted.of(word));
        }
    }

    /**
     * The requested page of a result.
     *
     * @param token its start, {@code ""} for the first page
     * @param limit maximum number of entities, or null
     */
    record Page(String token, @Nullable Integer limit) {}

    /**
     * A body.
     *
     * @param evaluation the evaluation, or the defaults of the evaluations
     * @param evaluations the evaluations with their defaults; empty if the body has a single evaluation
     * @param semantic the rule for their end
     * @param inherited the size, in characters, of the inherited defaults
     * @param page the requested page of a search
     */
    record AuthZenRequest(
            EvaluationRequest evaluation,
            List<EvaluationRequest> evaluations,
            Semantic semantic,
            int inherited,
            Page page) {}

    /**
     * Reads a body.
     *
     * @param names {@link #EVALUATION}, {@link #EVALUATIONS} or {@link #SEARCH}
     * @throws StatusException if it is malformed
     */
    static AuthZenRequest read(byte[] bytes, int count, MemberNames names) throws StatusException {
        List<AuthZenRequest> read = new ArrayList<>(1);
        new JsonBody(bytes, 0, count).read("the body", "an object", "request", members -> {
            EvaluationReader reader = new EvaluationReader(members);
            EvaluationRequest evaluation = reader.evaluation(members.known(names));
            List<EvaluationRequest> evaluations =
                    reader.evaluations.stream().map(one -> one.or(evaluation)).toList();
            read.add(new AuthZenRequest(
                    evaluation, evaluations, reader.semantic, inherited(reader.evaluations, evaluation), reader.page));
        });
        return read.getFirst();
    }

    private static int inherited(List<EvaluationRequest> evaluations, EvaluationRequest defaults)
            throws StatusException {
        long size = 0;
        for (EvaluationRequest one : evaluations) {
            size += one.subject().isOmitted() ? defaults.subject().size() : 0;
            size += one.action().isOmitted() ? defaults.action().size() : 0;
            size += one.resource().isOmitted() ? defaults.resource().size() : 0;
        }
        if (size > MAX_INHERITED) {
            throw Members.malformed("evaluations: expected at most " + MAX_INHERITED
                    + " characters that they take over from the top level, found " + size);
        }
        return (int) size;
    }

    /**
     * Requires the mandatory parts of an evaluation.
     *
     * @param searched the part whose ids are searched, or null
     * @throws StatusException if something is missing
     */
    static void require(EvaluationRequest evaluation, @Nullable Part searched) throws StatusException {
        require("subject", evaluation.subject(), true, searched != Part.SUBJECT);
        if (searched != Part.ACTION) {
            require("action", evaluation.action(), false, true);
        }
        require("resource", evaluation.resource(), true, searched != Part.RESOURCE);
        if (searched != Part.SUBJECT && evaluation.subject().id().isEmpty()) {
            throw Members.malformed("subject.id: must not be empty");
        }
    }

    private static void require(String name, Entity entity, boolean typed, boolean identified) throws StatusException {
        if (entity.isOmitted()) {
            throw Members.malformed(name + ": required");
        }
        if (typed && entity.type().isEmpty()) {
            throw Members.malformed(name + ".type: required");
        }
        if (identified && !entity.identified()) {
            throw Members.malformed(name + (typed ? ".id" : ".name") + ": required");
        }
    }

    private EvaluationRequest evaluation(Members.Known known) throws IOException, StatusException {
        Entity subject = Entity.NONE;
        Entity action = Entity.NONE;
        Entity resource = Entity.NONE;
        Map<String, Object> context = null;
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "subject" -> subject = entity(ENTITY);
                case "action" -> action = entity(ACTION);
                case "resource" -> resource = entity(ENTITY);
                case "context" -> context = members.object() ? values() : null;
                case "evaluations" -> readEvaluations();
                case "options" -> readOptions();
                default -> readPage();
            }
        }
        return new EvaluationRequest(subject, action, resource, context);
    }

    private Entity entity(MemberNames names) throws IOException, StatusException {
        if (!members.object()) {
            return Entity.NONE;
        }
        String type = "";
        String id = null;
        Map<String, Object> properties = EvaluationRequest.NOTHING;
        Members.Known known = members.known(names);
        for (String name = known.next(); name != null; name = known.next()) {
            switch (name) {
                case "type" -> type = Objects.requireNonNullElse(text(), "");
                case "properties" -> properties = members.object() ? values() : properties;
                default -> id = text();
            }
        }
        return new Entity(type, Objects.requireNonNullElse(id, ""), id != null, properties);
    }

    /** Reads a string; null is the same as an absent member. */
    private @Nullable String text() throws IOException, StatusException {
        return members.json().currentToken() == JsonToken.VALUE_NULL ? null : members.string();
    }

    private void readEvaluations() throws IOException, StatusException {
        if (!members.array()) {
            return;
        }
        evaluations = new ArrayList<>();
        while (members.json().nextToken() != JsonToken.END_ARRAY) {
            if (members.json().currentToken() != JsonToken.START_OBJECT) {
                throw members.wrongType(members.path(), "an object");
            }
            if (evaluations.size() == MAX_EVALUATIONS) {
                throw Members.malformed("evaluations: expected at most " + MAX_EVALUATIONS);
            }
            evaluations.add(evaluation(members.known(EVALUATION)));
        }
    }

    private void readOptions() throws IOException, StatusException {
        if (members.object()) {
            Members.Known known = members.known(OPTIONS);
            while (known.next() != null) {
                semantic = Semantic.of(members.string());
            }
        }
    }

    private void readPage() throws IOException, StatusException {
        if (!members.object()) {
            return;
        }
        String token = "";
        Integer limit = null;
        Members.Known known = members.known(PAGE);
        for (String name = known.next(); name != null; name = known.next()) {
            if (name.equals("token")) {
                token = members.string();
            } else if (members.json().currentToken() != JsonToken.VALUE_NULL) {
                limit = (int) Math.min(members.count(), Integer.MAX_VALUE);
            }
        }
        page = new Page(token, limit);
    }

    private SortedMap<String, Object> values() throws IOException, StatusException {
        limit = Math.min(MAX_VALUES, values + MAX_VALUES_EACH);
        return object();
    }

    /** Reads an object whose start was read. Sorted, so colliding hash codes are harmless and the order of members is irrelevant. */
    private SortedMap<String, Object> object() throws IOException, StatusException {
        SortedMap<String, Object> object = new TreeMap<>();
        JsonParser json = members.json();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            members.requireWellFormed(name);
            json.nextToken();
            Object value = value();
            // Null is the same as absent (AuthZEN 1.0, "JSON Payload Considerations").
            if (value != null && object.put(name, value) != null) {
                throw Members.malformed(members.path() + ": a member is given twice");
            }
        }
        return object;
    }

    private @Nullable Object value() throws IOException, StatusException {
        if (++values > limit) {
            throw Members.malformed("expected at most " + MAX_VALUES_EACH + " values in properties or context, and "
                    + MAX_VALUES + " in a request");
        }
        return switch (members.json().currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> list();
            case VALUE_STRING -> members.string();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL, NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT -> null;
        };
    }

    private List<Object> list() throws IOException, StatusException {
        List<Object> list = new ArrayList<>();
        while (members.json().nextToken() != JsonToken.END_ARRAY) {
            Object value = value();
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }

    /** Reads a number within the range of a double (RFC 7493, section 2.2). */
    private Object number() throws IOException, StatusException {
        JsonParser json = members.json();
        int length = json.getTextLength();
        if (length > MAX_NUMBER) {
            throw Members.malformed(members.path() + ": the number has more than " + MAX_NUMBER + " characters");
        }
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT && length <= MAX_LONG) {
            return json.getLongValue();
        }
        double number = Double.parseDouble(json.getText());
        if (Double.isInfinite(number)) {
            throw Members.malformed(members.path() + ": the number is too large");
        }
        return number;
    }
}
