package io.plat.tests.conf;

import java.util.ArrayList;
import java.util.List;

/** Markdown from the help of a server: a heading for each group, and a table of its flags. */
final class HelpPage {
    private final List<String> lines = new ArrayList<>();
    private String flag = "";
    private final List<String> description = new ArrayList<>();

    private HelpPage() {}

    /** Returns the Markdown of a help text, whose groups become headings below one of a level. */
    static String of(String help, String heading) {
        HelpPage page = new HelpPage();
        boolean flags = false;
        for (String line : help.lines().toList()) {
            boolean group =
                    !line.isEmpty() && !line.startsWith(" ") && line.endsWith(":") && !line.startsWith("Commands");
            if (group) {
                page.endFlag();
                page.lines.addAll(List.of(
                        "",
                        heading + " " + line.substring(0, line.length() - 1),
                        "",
                        "| flag | description |",
                        "|---|---|"));
                flags = true;
            } else if (flags && line.startsWith("  --")) {
                page.endFlag();
                page.flag = line.strip();
            } else if (flags) {
                page.description.add(line.strip());
            }
        }
        page.endFlag();
        return String.join("\n", page.lines).strip() + "\n";
    }

    private void endFlag() {
        if (!flag.isEmpty()) {
            lines.add("| `" + flag.replace("|", "\\|") + "` | " + cell(String.join(" ", description)) + " |");
        }
        flag = "";
        description.clear();
    }

    /** Returns a text as the content of a table cell. */
    static String cell(String text) {
        return text.strip().replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;");
    }
}
