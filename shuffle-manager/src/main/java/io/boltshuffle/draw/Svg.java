package io.boltshuffle.draw;

import java.util.Locale;

/** A drawing as SVG, shape after shape; a later one covers the earlier ones. Whatever is drawn is escaped here. */
public final class Svg {
    private final StringBuilder shapes = new StringBuilder();

    /** The end of a text that is at its place. */
    public enum Anchor {
        START,
        MIDDLE,
        END
    }

    /**
     * The look of a shape.
     *
     * @param attributes as they stand in the element, each with a blank before it
     * @param tip what a pointer over the shape is told; may be empty
     */
    public record Look(String attributes, String tip) {
        public static final Look PLAIN = new Look("", "");

        /** @param classes of a style sheet */
        public static Look style(String classes) {
            return PLAIN.with("class", classes);
        }

        public Look with(String attribute, String value) {
            return new Look(attributes + " " + attribute + "=\"" + Markup.escape(value) + "\"", tip);
        }

        /** Returns this look with rounded corners, for rectangles. */
        public Look rounded(int radius) {
            return with("rx", Integer.toString(radius));
        }

        public Look tip(String text) {
            return new Look(attributes, text);
        }
    }

    public Svg line(Look look, Segment segment) {
        return shape(
                "line",
                look,
                attribute("x1", segment.from().x())
                        + attribute("y1", segment.from().y())
                        + attribute("x2", segment.to().x())
                        + attribute("y2", segment.to().y()));
    }

    public Svg rectangle(Look look, Area area) {
        return shape(
                "rect",
                look,
                attribute("x", area.left())
                        + attribute("y", area.top())
                        + attribute("width", area.width())
                        + attribute("height", area.height()));
    }

    public Svg text(Look look, Anchor anchor, Point at, String words) {
        shapes.append("<text" + look.attributes() + " text-anchor=\"")
                .append(anchor.name().toLowerCase(Locale.ROOT) + "\"")
                .append(attribute("x", at.x()) + attribute("y", at.y()) + ">")
                .append(Markup.escape(words) + "</text>\n");
        return this;
    }

    /** Draws what another one drew. */
    public Svg add(Svg other) {
        shapes.append(other.shapes);
        return this;
    }

    /**
     * Returns the element for a page, which styles it.
     *
     * @param look of the whole drawing
     * @param label for readers who do not see it
     */
    public String inPage(Look look, String label, double width, double height) {
        return "<svg" + look.attributes() + " role=\"img\" aria-label=\"" + Markup.escape(label) + "\" viewBox=\"0 0 "
                + number(width) + " " + number(height) + "\">\n" + shapes + "</svg>";
    }

    /** A file that stands alone. */
    public String asFile(String title, String styleSheet, double width, double height) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\""
                + attribute("width", width) + attribute("height", height) + " role=\"img\">\n<title>"
                + Markup.escape(title) + "</title>\n<style>\n" + styleSheet + "</style>\n" + shapes + "</svg>\n";
    }

    private Svg shape(String element, Look look, String place) {
        shapes.append("<" + element + look.attributes() + place);
        if (look.tip().isEmpty()) {
            shapes.append("/>\n");
        } else {
            shapes.append("><title>" + Markup.escape(look.tip()) + "</title></" + element + ">\n");
        }
        return this;
    }

    private static String attribute(String name, double value) {
        return " " + name + "=\"" + number(value) + "\"";
    }

    /** Formats a number with one decimal, none if that is 0, and with a decimal point whatever the locale. */
    private static String number(double value) {
        String number = String.format(Locale.ROOT, "%.1f", value);
        return number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    }
}
