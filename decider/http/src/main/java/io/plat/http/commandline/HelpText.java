package io.plat.http.commandline;

import java.util.List;

/** Help as text: what the program does, how it is called, and every flag under its heading. */
final class HelpText {
    private static final int WIDTH = 100;
    private static final String INDENT = "      ";

    private final FlagSet flags;

    HelpText(FlagSet flags) {
        this.flags = flags;
    }

    String text() {
        FlagSet.Program program = flags.program();
        StringBuilder text = new StringBuilder();
        text.append("Usage: ").append(program.name()).append(" [flags]\n");
        if (!flags.commands().isEmpty()) {
            text.append("       ").append(program.name()).append(" COMMAND [flags]\n");
        }
        text.append('\n');
        wrap(text, "", program.description());
        if (!flags.commands().isEmpty()) {
            text.append("\nCommands (each with --help):\n");
            flags.commands().forEach((name, help) -> {
                text.append("  ").append(name).append('\n');
                wrap(text, INDENT, help);
            });
        }
        flags.groups().forEach((heading, members) -> {
            text.append('\n').append(heading).append(":\n");
            members.forEach(flag -> describe(text, flag));
        });
        text.append("\nOther:\n");
        text.append("  --help\n").append(INDENT).append("Print this text and exit.\n");
        text.append("  --version\n").append(INDENT).append("Print the version and exit.\n");
        return text.toString();
    }

    private static void describe(StringBuilder text, Flag<?> flag) {
        Flag.Text described = flag.text();
        text.append("  --").append(described.name());
        if (!described.label().isEmpty()) {
            text.append('=').append(described.label());
        }
        text.append('\n');
        String standard = described.standard();
        wrap(text, INDENT, described.help() + (standard.isEmpty() ? "" : " (default " + standard + ")"));
    }

    private static void wrap(StringBuilder text, String indent, String sentences) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : List.of(sentences.split(" "))) {
            if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line.setLength(indent.length());
            }
            if (line.length() > indent.length()) {
                line.append(' ');
            }
            line.append(word);
        }
        text.append(line).append('\n');
    }
}
