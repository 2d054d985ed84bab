package io.boltshuffle.draw;

/** A place in a drawing; {@code y} grows downwards. */
public record Point(double x, double y) {
    public Point plus(Point other) {
        return new Point(x + other.x, y + other.y);
    }

    public Point plus(double dx, double dy) {
        return new Point(x + dx, y + dy);
    }

    public Point minus(Point other) {
        return new Point(x - other.x, y - other.y);
    }

    public Point times(double factor) {
        return new Point(x * factor, y * factor);
    }

    public double length() {
        return Math.hypot(x, y);
    }
}
