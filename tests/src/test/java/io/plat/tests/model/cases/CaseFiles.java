package io.plat.tests.model.cases;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Parses the files of cases strictly: a misspelled field would change the meaning of a case. */
public final class CaseFiles {
    private final List<Problem> problems = new ArrayList<>();
    private final List<PolicyDocument> documents = new ArrayList<>();

    private CaseFiles() {}

    /**
     * Reads every document of a directory.
     *
     * @param directory {@code abac}, {@code rbac} or {@code union}
     */
    public static List<PolicyDocument> of(String directory) throws IOException, ProblemsException {
        CaseFiles files = new CaseFiles();
        try (Stream<Path> paths = Files.list(root().resolve(directory))) {
            for (Path path : paths.sorted().toList()) {
                files.read(directory + "/" + path.getFileName(), Files.readAllBytes(path));
            }
        }
        if (!files.problems.isEmpty()) {
            throw new ProblemsException(files.problems);
        }
        return files.documents;
    }

    private static Path root() {
        URL readme = Objects.requireNonNull(CaseFiles.class.getResource("/cases/README.md"));
        try {
            return Objects.requireNonNull(Path.of(readme.toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read(String name, byte[] content) throws ProblemsException {
        Set<String> names = new HashSet<>();
        for (SourceNode node : SourceReader.readYaml(name, content)) {
            SourceFields fields = SourceFields.of(node, "", problems);
            List<PolicyCase> cases = new ArrayList<>();
            for (SourceFields each : fields.mappings("cases")) {
                cases.add(policyCase(each, names));
            }
            documents.add(new PolicyDocument(
                    node.where().toString(),
                    fields.requiredString("policy"),
                    fields.string("roles"),
                    fields.string("superUser"),
                    cases,
                    fields.strings("problems")));
            if (cases.isEmpty() == documents.getLast().problems().isEmpty()) {
                fields.problem("cases", "expected either cases or problems");
            }
            fields.rejectUnknown();
        }
    }

    private PolicyCase policyCase(SourceFields fields, Set<String> names) {
        String name = fields.requiredString("name");
        if (!names.add(name)) {
            fields.problem("name", "stands twice");
        }
        UserInfo user = new UserInfo(fields.string("user"), fields.strings("groups"));
        String expect = fields.requiredString("expect");
        if (!expect.equals("allow") && !expect.equals("deny")) {
            fields.problem("expect", "expected allow or deny");
        }
        PolicyCase read = new PolicyCase(
                name,
                new Attributes(user, access(fields.requiredMapping("request"))),
                expect.equals("allow"),
                fields.string("by"),
                fields.requiredString("why"));
        fields.rejectUnknown();
        return read;
    }

    private static AccessAttributes access(SourceFields request) {
        String verb = request.string("verb");
        AccessAttributes access = request.has("path")
                ? new NonResourceAttributes(request.string("path"), verb)
                : new ResourceAttributes(
                        request.string("namespace"),
                        verb,
                        request.string("apiGroup"),
                        "v1",
                        request.string("resource"),
                        request.string("subresource"),
                        request.string("name"));
        request.rejectUnknown();
        return access;
    }
}
