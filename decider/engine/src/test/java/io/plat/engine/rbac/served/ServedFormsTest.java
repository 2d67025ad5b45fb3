package io.plat.engine.rbac.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Both forms of what servers answer, written by others' code and read by ours. */
final class ServedFormsTest {
    private static final ServedForm JSON = JsonForm.INSTANCE;
    private static final ServedForm BINARY = BinaryForm.INSTANCE;

    @Property(tries = 300)
    void bothFormsGiveTheObjectsThatWereWritten(@ForAll long seed) throws MalformedRolesException {
        RandomRoles random = new RandomRoles(seed);
        for (RbacKind kind : RbacKind.values()) {
            List<RbacObject> objects = List.of(random.next(kind), random.next(kind), random.next(kind));
            byte[] json = bytes(AsJson.page(kind.kind(), "12", "more", objects));
            byte[] binary = AsBinary.page(kind, "12", "more", objects);
            ServedPage expected = new ServedPage(
                    "12",
                    "more",
                    objects.stream()
                            .map(object -> new ServedObject(object.key(), "1", object, ""))
                            .toList(),
                    List.of());
            assertThat(JSON.page(kind, json, json.length)).isEqualTo(expected);
            assertThat(BINARY.page(kind, binary, binary.length)).isEqualTo(expected);
        }
    }

    @Property(tries = 100)
    void bothFormsGiveTheEventsThatWereWritten(@ForAll long seed) throws MalformedRolesException {
        RandomRoles random = new RandomRoles(seed);
        for (RbacKind kind : RbacKind.values()) {
            RbacObject object = random.next(kind);
            for (String type : List.of("ADDED", "MODIFIED", "DELETED")) {
                ServedObject served = new ServedObject(object.key(), "7", object, "");
                ServedEvent expected =
                        type.equals("DELETED") ? new ServedEvent.Removal(served) : new ServedEvent.Put(served);
                assertThat(JSON.event(kind, bytes(AsJson.event(type, "7", object))))
                        .isEqualTo(expected);
                assertThat(BINARY.event(kind, unframed(AsBinary.framed(type, "7", object))))
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RbacKind.class)
    void bookmarksAndFailuresAreTold(RbacKind kind) throws MalformedRolesException {
        assertThat(JSON.event(kind, bytes(AsJson.bookmark(kind.kind(), "9")))).isEqualTo(new ServedEvent.Bookmark("9"));
        assertThat(BINARY.event(kind, unframed(AsBinary.bookmark(kind, "9")))).isEqualTo(new ServedEvent.Bookmark("9"));
        ServedEvent.Failure gone = new ServedEvent.Failure(410, "Expired", "too old");
        assertThat(JSON.event(kind, bytes(AsJson.error(410, "Expired", "too old"))))
                .isEqualTo(gone);
        assertThat(BINARY.event(kind, unframed(AsBinary.error(410, "Expired", "too old"))))
                .isEqualTo(gone);
        assertThat(gone.gone()).isTrue();
        assertThat(new ServedEvent.Failure(0, "Gone", "").gone()).isTrue();
        assertThat(new ServedEvent.Failure(500, "InternalError", "").gone()).isFalse();
    }

    @Test
    void aStatusIsReadInBothForms() throws MalformedRolesException {
        byte[] binary = AsBinary.status(403, "Forbidden", "no");
        assertThat(BINARY.status(binary, binary.length)).isEqualTo(new ServedEvent.Failure(403, "Forbidden", "no"));
        byte[] json = bytes("{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"message\":\"no\"}");
        assertThat(JSON.status(json, json.length)).isEqualTo(new ServedEvent.Failure(403, "Forbidden", "no"));
    }

    /** Bytes that were changed, cut or swapped give a page or are refused, and nothing else happens. */
    @Property(tries = 500)
    void spoiltBytesAreRefusedOrRead(@ForAll long seed) {
        Random random = new Random(seed);
        RbacKind kind = List.of(RbacKind.values()).get(random.nextInt(4));
        List<RbacObject> objects = List.of(new RandomRoles(seed).next(kind));
        boolean inJson = random.nextBoolean();
        byte[] good =
                inJson ? bytes(AsJson.page(kind.kind(), "12", "", objects)) : AsBinary.page(kind, "12", "", objects);
        byte[] spoilt = Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
        for (int i = 0; i < random.nextInt(4) && spoilt.length > 0; i++) {
            spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
        }
        try {
            ServedPage page = (inJson ? JSON : BINARY).page(kind, spoilt, spoilt.length);
            assertThat(page.items().size() + page.nameless().size()).isLessThanOrEqualTo(spoilt.length);
        } catch (MalformedRolesException refused) {
            assertThat(refused.getMessage()).isNotEmpty().doesNotContain("\n");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [] | expected a JSON object
            `` | expected a JSON object
            {"kind":"RoleList"} | expected a RoleList of rbac.authorization.k8s.io/v1, found "RoleList" of ""
            {"kind":"PodList","apiVersion":"v1","items":[]} | found "PodList" of "v1"
            {"kind":"Status","apiVersion":"v1","code":200} | found "Status" of "v1"
            {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":{}} | items: expected a list
            {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","metadata":[]} | metadata: expected an object
            {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"resourceVersion":5}} | resourceVersion: expected a string
            {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":[{"kind":"Pod","metadata":{"name":"x"}}]} | expected a Role
            {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1"}{} | something follows
            {"kind":"RoleList" | not well-formed JSON
            """)
    void aListThatIsNoneIsRefused(String body, String message) {
        byte[] bytes = bytes(body == null ? "" : body);
        assertThatThrownBy(() -> JSON.page(RbacKind.ROLE, bytes, bytes.length))
                .isInstanceOf(MalformedRolesException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aBinaryAnswerThatIsNoneIsRefused() {
        byte[] page = AsBinary.page(RbacKind.ROLE, "1", "", List.of());
        byte[] without = Arrays.copyOfRange(page, 4, page.length);
        assertRefused(without, "without the four bytes");
        assertRefused(new byte[0], "without the four bytes");
        assertRefused(bytes("{\"kind\":\"RoleList\"}"), "without the four bytes");
        assertRefused(AsBinary.page(RbacKind.CLUSTER_ROLE, "1", "", List.of()), "expected a RoleList");
        assertRefused(AsBinary.status(200, "", ""), "found \"Status\" of \"v1\"");
        assertThatThrownBy(() -> BINARY.event(RbacKind.ROLE, AsBinary.event("ADDED", without)))
                .hasMessageContaining("without the four bytes");
        assertThatThrownBy(() -> BINARY.event(RbacKind.ROLE, new byte[0])).hasMessageContaining("no object");
    }

    private static void assertRefused(byte[] body, String message) {
        assertThatThrownBy(() -> BINARY.page(RbacKind.ROLE, body, body.length))
                .isInstanceOf(MalformedRolesException.class)
                .hasMessageContaining(message);
    }

    /** Each row is an item of a list; the other items count all the same. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":[]}]} | rules[0].verbs
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get"],"nonResourceURLs":["/x"]}]} | namespaced rules
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":"get"}]} | rules.verbs: expected a list
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get",null]}]} | rules.verbs: expected strings
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[7]} | rules: expected an object
            ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["x"],"unless":"y"}]} | unknown field "unless"
            ROLE | {"metadata":{"namespace":"a","name":"r"},"aggregationRule":{}} | unknown field "aggregationRule"
            CLUSTER_ROLE | {"metadata":{"name":"r"},"aggregationRule":{}} | aggregationRule.clusterRoleSelectors
            CLUSTER_ROLE | {"metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":[{"matchExpressions":[{"key":"k","operator":"Near"}]}]}} | Near
            ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"subjects":[]} | roleRef.kind
            ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"roleRef":{"kind":"Role","name":"r","namespace":"b"}} | unknown field "namespace"
            ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"Robot","name":"x"}]} | subjects[0].kind
            CLUSTER_ROLE_BINDING | {"metadata":{"name":"r"},"roleRef":{"kind":"Role","name":"r"}} | roleRef.kind
            """)
    void anObjectThatCantBeUsedIsToldApart(RbacKind kind, String item, String problem) throws MalformedRolesException {
        RbacObject other = new RandomRoles(1).next(kind);
        String page =
                AsJson.page(kind.kind(), "1", "", List.of(other)).replace("\"items\":[", "\"items\":[" + item + ",");
        ServedPage read = JSON.page(kind, bytes(page), bytes(page).length);
        assertThat(read.items()).hasSize(2);
        ServedObject unusable = read.items().getFirst();
        assertThat(unusable.object()).isNull();
        assertThat(unusable.key()).isEqualTo(new ObjectKey(kind, kind.namespaced() ? "a" : "", "r"));
        assertThat(unusable.problem()).contains(problem);
        assertThat(read.items().getLast().object()).isEqualTo(other);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | it has no name
            null | it has no name
            7 | object: expected an object
            {"metadata":{"name":"r"}} | it has no name
            {"metadata":{"name":7,"namespace":"a"}} | metadata.name: expected a string
            {"metadata":{"name":"r","namespace":["a"]}} | metadata.namespace: expected a string
            """)
    void anItemThatDoesNotTellWhichItIsIsCounted(String item, String problem) throws MalformedRolesException {
        RbacObject other = new RandomRoles(1).next(RbacKind.ROLE);
        String page = AsJson.page("Role", "1", "", List.of(other)).replace("\"items\":[", "\"items\":[" + item + ",");
        ServedPage read = JSON.page(RbacKind.ROLE, bytes(page), bytes(page).length);
        assertThat(read.nameless()).hasSize(1).first().asString().contains(problem);
        assertThat(read.items()).map(ServedObject::object).containsExactly(other);
    }

    @Test
    void anUnknownFieldOfTheBinaryFormMakesAnObjectUnusable() throws Exception {
        RbacRole role = RbacRole.role("a", "r", List.of());
        UnknownFieldSet further = UnknownFieldSet.newBuilder()
                .addField(9, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        byte[] event = AsBinary.event(
                "ADDED",
                AsBinary.envelope(
                        "rbac.authorization.k8s.io/v1",
                        "Role",
                        AsBinary.message(role, "3").toBuilder()
                                .setUnknownFields(further)
                                .build()));
        assertThat(BINARY.event(RbacKind.ROLE, event))
                .isEqualTo(new ServedEvent.Put(new ServedObject(role.key(), "3", null, "object: unknown field 9")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | with a type and an object
            {"type":"ADDED"} | with a type and an object
            {"object":{},"type":"ADDED"} | begins with its type
            {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"}}} | expected a Role
            {"type":"ADDED","object":{"metadata":{"name":"a","namespace":"b"}}} | has no resource version
            {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}} | does not identify its object
            {"type":"DELETED","object":{"metadata":{"name":"","namespace":"b","resourceVersion":"1"}}} | does not identify its object
            {"type":"RENAMED","object":{"metadata":{"name":"a","namespace":"b","resourceVersion":"1"}}} | unknown type "RENAMED"
            {"type":"BOOKMARK","object":{"metadata":{}}} | has no resource version
            {"type":7} | type: expected a string
            `` | expected a JSON object
            """)
    void anEventThatIsNoneIsRefused(String event, String message) {
        assertThatThrownBy(() -> JSON.event(RbacKind.ROLE, bytes(event == null ? "" : event)))
                .isInstanceOf(MalformedRolesException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aDeletionCountsWhateverTheObjectIs() throws MalformedRolesException {
        RbacBinding invalid = RbacBinding.clusterRoleBinding(
                "b", new RoleRef("", "Role", "", "r"), List.of(RbacSubject.user("jane")));
        for (ServedEvent event : List.of(
                JSON.event(RbacKind.CLUSTER_ROLE_BINDING, bytes(AsJson.event("DELETED", "4", invalid))),
                BINARY.event(RbacKind.CLUSTER_ROLE_BINDING, unframed(AsBinary.framed("DELETED", "4", invalid))))) {
            assertThat(event)
                    .isInstanceOfSatisfying(
                            ServedEvent.Removal.class,
                            removal -> assertThat(removal.object().key()).isEqualTo(invalid.key()));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                                     | JSON
            application/json;charset=utf-8                       | JSON
            Application/JSON ; stream=watch                      | JSON
            application/vnd.kubernetes.protobuf                  | BINARY
            application/vnd.kubernetes.protobuf;stream=watch     | BINARY
            application/vnd.platform.protobuf                    | BINARY
            text/html                                            | NONE
            application/yaml                                     | NONE
            ''                                                   | NONE
            """)
    void theFormIsWhatTheAnswerSaysItIs(String contentType, String expected) {
        String found = ServedForm.of(contentType)
                .map(form -> form == JSON ? "JSON" : "BINARY")
                .orElse("NONE");
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void framesComeInPiecesOfAnySize() throws MalformedRolesException {
        RandomRoles random = new RandomRoles(5);
        List<ServedEvent> expected = new ArrayList<>();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ByteArrayOutputStream lengths = new ByteArrayOutputStream();
        for (int i = 1; i <= 50; i++) {
            RbacObject object = random.next(RbacKind.CLUSTER_ROLE);
            expected.add(new ServedEvent.Put(new ServedObject(object.key(), "" + i, object, "")));
            lines.writeBytes(bytes(AsJson.event("ADDED", "" + i, object) + "\n"));
            lengths.writeBytes(AsBinary.framed("ADDED", "" + i, object));
        }
        for (int size : List.of(1, 7, 100, 5000, 1 << 20)) {
            assertThat(readAll(JSON, lines.toByteArray(), size)).isEqualTo(expected);
            assertThat(readAll(BINARY, lengths.toByteArray(), size)).isEqualTo(expected);
        }
    }

    private static List<ServedEvent> readAll(ServedForm form, byte[] stream, int size) throws MalformedRolesException {
        Frames frames = form.frames(1 << 20);
        List<ServedEvent> events = new ArrayList<>();
        for (int at = 0; at < stream.length; at += size) {
            int count = Math.min(size, stream.length - at);
            frames.add(Arrays.copyOfRange(stream, at, at + count), count);
            for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
                events.add(form.event(RbacKind.CLUSTER_ROLE, frame));
            }
        }
        assertThat(frames.atBoundary()).isTrue();
        return events;
    }

    @Test
    void anEventMayBeOnlySoLong() throws MalformedRolesException {
        Frames lines = JSON.frames(10);
        lines.add(bytes("0123456789\n0123"), 15);
        assertThat(lines.next()).hasSize(10);
        assertThat(lines.next()).isNull();
        assertThat(lines.atBoundary()).isFalse();
        lines.add(bytes("4567890"), 7);
        assertThatThrownBy(lines::next).hasMessage("an event is longer than 10 bytes");
        for (byte[] length :
                List.of(new byte[] {0, 0, 0, 11}, new byte[] {-1, -1, -1, -1}, new byte[] {127, -1, -1, -1})) {
            Frames lengths = BINARY.frames(10);
            lengths.add(length, 4);
            assertThatThrownBy(lengths::next).hasMessage("an event is longer than 10 bytes");
        }
        Frames empty = BINARY.frames(10);
        empty.add(new byte[4], 4);
        assertThat(empty.next()).isEmpty();
    }

    private static byte[] unframed(byte[] frame) {
        return Arrays.copyOfRange(frame, 4, frame.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
