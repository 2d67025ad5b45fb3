package io.plat.tests.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fenced blocks of a document, in order. A comment above a block gives its purpose: {@code <!-- file: NAME -->} for the content of a file,
 * {@code <!-- background -->} for commands in a separate terminal, {@code <!-- needs: PROGRAM -->} for commands that require a third-party
 * program, {@code <!-- not run: REASON -->} for commands that cannot run in a test.
 *
 * @param lines lines of the document
 * @param blocks its blocks
 */
record Page(List<String> lines, List<Block> blocks) {
    private static final Pattern COMMENT = Pattern.compile("<!-- (file|background|needs|not run)(?:: (.+))? -->");
    private static final Pattern HERE_DOCUMENT = Pattern.compile("<< ?'?(\\w+)'?");

    /**
     * A fenced block.
     *
     * @param line number of its first line, from 0
     * @param language word after the fence, empty for none
     * @param comments comments above it, by their keyword
     * @param content lines between the fences
     */
    record Block(int line, String language, Map<String, String> comments, List<String> content) {
        boolean isConsole() {
            return language.equals("console");
        }

        /** Returns whether the test neither executes it nor writes it to a file. */
        boolean isIdle() {
            return comments.containsKey("not run");
        }

        String comment(String keyword) {
            return comments.getOrDefault(keyword, "");
        }

        boolean isBackground() {
            return comments.containsKey("background");
        }

        /** Returns the commands of a block; a background block has a single one. */
        List<Step> steps() {
            List<Step> steps = new ArrayList<>();
            int next = 0;
            while (next < content.size()) {
                int start = next;
                int output = afterCommand(start);
                for (next = output;
                        next < content.size()
                                && (isBackground() || !content.get(next).startsWith("$ ")); ) {
                    next++;
                }
                String command = String.join("\n", content.subList(start, output));
                steps.add(new Step(
                        line + 1 + start,
                        command.startsWith("$ ") ? command.substring(2) : "",
                        line + 1 + output,
                        List.copyOf(content.subList(output, next))));
            }
            return steps;
        }

        private int afterCommand(int start) {
            if (!content.get(start).startsWith("$ ")) {
                return start;
            }
            int last = start;
            Matcher document = HERE_DOCUMENT.matcher(content.get(start));
            if (document.find()) {
                while (!content.get(last).equals(document.group(1))) {
                    last++;
                }
            }
            while (content.get(last).endsWith("\\")) {
                last++;
            }
            return last + 1;
        }
    }

    /**
     * A command and its output.
     *
     * @param line number of the command's first line, from 0
     * @param command the command, empty for output without one
     * @param outputLine number of the output's first line, from 0
     * @param output lines of the output
     */
    record Step(int line, String command, int outputLine, List<String> output) {}

    static Page read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Block> blocks = new ArrayList<>();
        Map<String, String> comments = new HashMap<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            Matcher comment = COMMENT.matcher(line);
            if (comment.matches()) {
                comments.put(comment.group(1), comment.group(2) == null ? "" : comment.group(2));
            } else if (line.startsWith("```")) {
                int end = at + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                blocks.add(new Block(
                        at, line.substring(3), Map.copyOf(comments), List.copyOf(lines.subList(at + 1, end))));
                comments.clear();
                at = end;
            } else if (!line.isBlank()) {
                comments.clear();
            }
        }
        return new Page(lines, blocks);
    }
}
