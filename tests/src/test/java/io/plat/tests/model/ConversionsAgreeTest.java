package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.cli.Plat;
import io.plat.cli.process.Environment;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A converted policy decides as before, by the models of both forms, except for the reported parts. */
final class ConversionsAgreeTest {
    private static final int TRIES = 50;

    /** Number of policies per try: 10,000 together in the full run, in both directions. */
    private static final int POLICIES = Boolean.getBoolean("plat.full") ? 200 : 1;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static Path directory = Path.of("");

    /** A policy and the requests to it. */
    record Case(List<JsonNode> policy, List<Attributes> requests) {}

    /** Output of the command. */
    private record Printed(int status, String out, String err) {}

    @BeforeContainer
    static void makeDirectory() throws IOException {
        directory = Files.createTempDirectory("plat-convert");
    }

    @AfterContainer
    static void deleteDirectory() throws IOException {
        for (String name : List.of("lines.jsonl", "objects.json")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.deleteIfExists(directory);
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void linesConvertToRoleObjects(@ForAll("lines") List<Case> cases) throws IOException {
        for (Case one : cases) {
            Path file = write("lines.jsonl", one.policy);
            Printed printed = convert(file, "rbac");
            List<JsonNode> expressed = new ArrayList<>();
            for (int i = 0; i < one.policy.size(); i++) {
                String problem = file + ":" + (i + 1) + ": cannot be converted to role objects: ";
                if (!printed.err.contains(problem)) {
                    expressed.add(one.policy.get(i));
                } else if (!printed.err.contains(problem + "it is for a user within a group")) {
                    expressed.add(withoutResource(one.policy.get(i)));
                }
            }
            assertThat(printed.status).isEqualTo(printed.err.contains("cannot be converted") ? 1 : 0);
            List<JsonNode> objects = new ArrayList<>();
            JSON.readTree(printed.out).path("items").forEach(objects::add);
            AbacModel lines = new AbacModel(expressed);
            RbacModel roles = new RbacModel(objects, "");
            for (Attributes request : one.requests) {
                if (canBe(request)) {
                    assertThat(roles.allows(request))
                            .as(() -> request + "\n" + expressed + "\n" + objects)
                            .isEqualTo(lines.firstMatch(request) >= 0);
                }
            }
        }
    }

    /** Returns the remainder of a line with an invalid namespace: its path. */
    private static JsonNode withoutResource(JsonNode line) {
        ObjectNode part = line.deepCopy();
        ((ObjectNode) part.get("spec")).remove("resource");
        return part;
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void roleObjectsConvertToLines(@ForAll("objects") List<Case> cases) throws IOException {
        for (Case one : cases) {
            Printed printed = convert(write("objects.json", one.policy), "abac");
            List<JsonNode> converted = new ArrayList<>();
            JSON.readTree(printed.out).forEach(converted::add);
            AbacModel lines = new AbacModel(converted);
            RbacModel roles = new RbacModel(one.policy, "");
            for (Attributes request : one.requests) {
                if (canBe(request)) {
                    boolean expressed = lines.firstMatch(request) >= 0;
                    boolean allowed = roles.allows(request);
                    assertThat(expressed == allowed || (allowed && printed.status == 1))
                            .as(() -> request + "\n" + one.policy + "\n" + printed)
                            .isTrue();
                }
            }
        }
    }

    private static Path write(String name, List<JsonNode> policy) throws IOException {
        return Files.writeString(
                directory.resolve(name), policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
    }

    private static Printed convert(Path file, String form) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = {"convert", file.toString(), "--to", form, "-o", "json"};
        Environment environment =
                new Environment(Map.of(), directory, InputStream.nullInputStream(), false, InstantSource.system());
        int status = Plat.commandLine(environment, new PrintWriter(out), new PrintWriter(err), arguments)
                .execute(arguments);
        assertThat(status).as(err.toString()).isIn(0, 1);
        return new Printed(status, out.toString(), err.toString());
    }

    /**
     * Returns whether a server can receive such a request: subresources are those of the type, nodes have no namespace, every user has a
     * group.
     */
    private static boolean canBe(Attributes request) {
        List<String> groups = request.user().groups();
        boolean grouped = groups.contains(UserInfo.AUTHENTICATED) || groups.contains(UserInfo.UNAUTHENTICATED);
        boolean requested = !(request.access() instanceof ResourceAttributes resource) || canBe(resource);
        return grouped && requested && !groups.contains(UserInfo.MASTERS);
    }

    private static boolean canBe(ResourceAttributes requested) {
        boolean subresource = requested.subresource().isEmpty()
                || (requested.resource().equals("pods")
                        && requested.subresource().equals("log"));
        boolean placed =
                !requested.resource().equals("nodes") || requested.namespace().isEmpty();
        return subresource && placed && !requested.resource().contains("/");
    }

    @Provide
    Arbitrary<List<Case>> lines() {
        return cases(AbacPolicies.policies());
    }

    @Provide
    Arbitrary<List<Case>> objects() {
        return cases(RbacPolicies.policies());
    }

    private static Arbitrary<List<Case>> cases(Arbitrary<List<JsonNode>> policies) {
        return Combinators.combine(policies, Universe.requests().list().ofSize(60))
                .as(Case::new)
                .list()
                .ofSize(POLICIES);
    }
}
