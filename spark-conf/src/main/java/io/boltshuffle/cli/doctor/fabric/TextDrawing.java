package io.boltshuffle.cli.doctor.fabric;

import io.boltshuffle.cli.doctor.fabric.Diagram.Box;
import io.boltshuffle.cli.doctor.fabric.Diagram.Line;
import io.boltshuffle.cli.doctor.fabric.Diagram.Transport;
import java.util.List;

/** Draws a diagram as plain ASCII text: hosts, one line for each cable, and a table of what each pair uses. */
public final class TextDrawing {

    private TextDrawing() {}

    public static String draw(Diagram diagram) {
        StringBuilder text = new StringBuilder();
        int width = width(diagram.boxes().stream().map(Box::title).toList());
        for (Box box : diagram.boxes()) {
            text.append(pad(box.title(), width))
                    .append("  ")
                    .append(box.subtitle())
                    .append('\n');
        }
        text.append('\n');
        int fromWidth = width(diagram.lines().stream().map(Line::fromPort).toList());
        for (Line line : diagram.lines()) {
            text.append(cable(diagram, line, width, fromWidth)).append('\n');
        }
        return text.append('\n')
                .append(table(diagram, Math.max(width, "RDMA x2".length())))
                .toString();
    }

    private static String cable(Diagram diagram, Line line, int width, int fromWidth) {
        String ink = switch (line.transport()) {
            case RDMA -> "=====";
            case TCP_OVER_CABLE -> "- - -";
            case TCP -> ". . .";
        };
        String middle = (line.speed() + " " + line.transport().words()).strip();
        String right = (line.toPort() + " " + diagram.boxes().get(line.to()).title()).strip();
        return pad(diagram.boxes().get(line.from()).title(), width) + "  " + pad(line.fromPort(), fromWidth) + "  "
                + ink + " " + middle + " " + ink + "  " + right;
    }

    private static String table(Diagram diagram, int width) {
        StringBuilder text = new StringBuilder(" ".repeat(width));
        diagram.boxes().forEach(box -> text.append("  ").append(pad(box.title(), width)));
        for (int row = 0; row < diagram.boxes().size(); row++) {
            text.append('\n').append(pad(diagram.boxes().get(row).title(), width));
            for (int column = 0; column < diagram.boxes().size(); column++) {
                text.append("  ").append(pad(row == column ? "-" : pair(diagram, row, column), width));
            }
        }
        return text.append('\n').toString().replaceAll(" +\n", "\n");
    }

    private static String pair(Diagram diagram, int one, int other) {
        long cables = diagram.lines().stream()
                .filter(line -> line.transport() == Transport.RDMA)
                .filter(line ->
                        (line.from() == one && line.to() == other) || (line.from() == other && line.to() == one))
                .count();
        return cables == 0 ? "TCP" : cables == 1 ? "RDMA" : "RDMA x" + cables;
    }

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
