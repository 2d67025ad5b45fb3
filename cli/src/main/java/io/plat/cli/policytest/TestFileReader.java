package io.plat.cli.policytest;

import io.plat.cli.request.Subjects;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reader of tests (contract, "plat"): documents of {@code kind: PolicyTest}. An unknown field is a problem. */
final class TestFileReader {
    static final String KIND = "PolicyTest";

    /** A case's name is also the name of its object, if it is a valid object name. */
    private static final Pattern OBJECT_NAME = Pattern.compile("[^\\s/%]+");

    private final String file;
    private final Path directory;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, List<String>> users = new HashMap<>();

    private TestFileReader(Path file) {
        this.file = file.toString();
        Path parent = file.getParent();
        this.directory = parent == null ? Path.of("") : parent;
    }

    /**
     * Returns the tests of a file.
     *
     * @throws ProblemsException with all of its problems
     */
    static List<TestFile> read(Path file) throws ProblemsException {
        TestFileReader reader = new TestFileReader(file);
        List<TestFile> tests = new ArrayList<>();
        for (SourceNode document : SourceReader.readYaml(file)) {
            reader.test(document).ifPresent(tests::add);
        }
        if (!reader.problems.isEmpty()) {
            throw new ProblemsException(reader.problems);
        }
        return tests;
    }

    /** Returns a document's test; empty for a document of another kind, whose only reported problem is the kind. */
    private Optional<TestFile> test(SourceNode document) {
        SourceFields fields = SourceFields.of(document, "", problems);
        String kind = fields.requiredString("kind");
        if (!kind.isEmpty() && !kind.equals(KIND)) {
            fields.problem(
                    "kind",
                    "expected \"" + KIND + "\", found " + Quoted.of(kind) + "; --init prints a first test of a policy");
            return Optional.empty();
        }
        fields.ignore("apiVersion", "metadata");
        List<Path> policies = new ArrayList<>();
        fields.strings("policies").forEach(path -> policies.add(directory.resolve(path)));
        if (policies.isEmpty()) {
            fields.problem("policies", "expected at least one path");
        }
        readUsers(fields);
        var declared = new TestFile.Declared(
                users.keySet(),
                new HashSet<>(fields.strings("namespaces")),
                new HashSet<>(fields.strings("resources")));
        List<TestFile.Case> cases = new ArrayList<>();
        for (SourceFields one : fields.mappings("cases")) {
            cases.add(policyCase(one, cases.size() + 1));
        }
        fields.rejectUnknown();
        return Optional.of(new TestFile(file, policies, declared, cases));
    }

    private void readUsers(SourceFields fields) {
        users.clear();
        SourceFields groups = fields.mapping("users");
        if (fields.node("users") instanceof SourceNode.Mapping mapping) {
            mapping.fields().keySet().forEach(name -> users.put(name, groups.strings(name)));
        }
    }

    private TestFile.Case policyCase(SourceFields fields, int number) {
        String name = fields.string("name");
        String verb = fields.requiredString("verb");
        String expect = fields.requiredString("expect");
        if (!expect.isEmpty() && !expect.equals("allow") && !expect.equals("deny")) {
            fields.problem("expect", "expected \"allow\" or \"deny\", found " + Quoted.of(expect));
        }
        Attributes request = new Attributes(user(fields), access(fields, verb, name));
        String reason = fields.string("reason");
        fields.rejectUnknown();
        return new TestFile.Case(
                name.isEmpty() ? "case " + number : name, fields.where(), request, expect.equals("allow"), reason);
    }

    /** Returns the user of a case, with the groups that any server adds, as for {@code --as}. */
    private UserInfo user(SourceFields fields) {
        String user = fields.string("user");
        List<String> groups = new ArrayList<>(users.getOrDefault(user, List.of()));
        groups.addAll(fields.strings("groups"));
        if (user.isEmpty() && groups.isEmpty()) {
            fields.problem("user", "expected a user, or groups");
        }
        return Subjects.user(user, groups, false);
    }

    private static AccessAttributes access(SourceFields fields, String verb, String name) {
        String path = fields.string("path");
        String resource = fields.string("resource");
        String subresource = fields.string("subresource");
        String group = fields.string("apiGroup");
        String namespace = fields.string("namespace");
        String object = fields.string("resourceName");
        if (path.isEmpty() == resource.isEmpty()) {
            fields.problem("resource", "expected either a resource or a path");
        }
        if (!path.isEmpty()) {
            return new NonResourceAttributes(path, verb);
        }
        if (resource.indexOf('/') >= 0 && !subresource.isEmpty()) {
            fields.problem("subresource", "already given in the resource");
        }
        if (object.isEmpty() && OBJECT_NAME.matcher(name).matches()) {
            object = name;
        }
        String written = ResourceAttributes.written(resource, subresource);
        return ResourceAttributes.ofWritten(namespace, verb, group, written, object);
    }

    /**
     * A test of a policy: one document of a file.
     *
     * @param name the file, as it was named
     * @param policies the files and directories that make the policy
     * @param declared known names in addition to those of the policy
     * @param cases in their order
     */
    record TestFile(String name, List<Path> policies, Declared declared, List<Case> cases) {
        TestFile {
            policies = List.copyOf(policies);
            cases = List.copyOf(cases);
        }

        /** The names under {@code users}, {@code namespaces} and {@code resources}. */
        record Declared(Set<String> users, Set<String> namespaces, Set<String> resources) {
            Declared {
                users = Set.copyOf(users);
                namespaces = Set.copyOf(namespaces);
                resources = Set.copyOf(resources);
            }
        }

        /**
         * Expected decision of one request.
         *
         * @param allowed whether it is to be allowed
         * @param reason expected part of the decision's reason, {@code ""} for any
         */
        record Case(String name, Location where, Attributes request, boolean allowed, String reason) {}
    }
}
