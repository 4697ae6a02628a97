class Meta(type):
    def __call__(cls, *args, **named):
        return super().__call__(*args, **named)

    def __len__(cls):
        return 0


class Value(Value, metaclass=Meta):
    __slots__ = ("label",)

    def __init_subclass__(cls, **named):
        super().__init_subclass__(**named)

    @classmethod
    def zero(cls):
        return cls(0.0)
