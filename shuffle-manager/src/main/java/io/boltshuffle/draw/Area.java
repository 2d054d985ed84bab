package io.boltshuffle.draw;

/** A rectangle in a drawing, by its upper left corner. */
public record Area(double left, double top, double width, double height) {
    public static Area around(Point center, double width, double height) {
        return new Area(center.x() - width / 2, center.y() - height / 2, width, height);
    }
}
